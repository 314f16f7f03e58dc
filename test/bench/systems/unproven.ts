/**
 * The sidecar without the run of its fixtures, so that what the proof adds to a start can be told: the configuration is
 * loaded, everything is compiled, and it listens. Nobody serves like this.
 */
import { loadSettings } from '../../../src/config/index.js';
import { startServer } from '../../../src/server/index.js';

const [, , config = ''] = process.argv;
const loaded = await loadSettings(config, process.env);
if ('diagnostics' in loaded) throw new Error(`${config} has ${loaded.diagnostics.length} problems`);
const server = await startServer(loaded.settings, { proven: true });
process.once('SIGTERM', () => void server.close());
