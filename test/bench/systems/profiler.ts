/**
 * Loaded into the sidecar before its main file: the first SIGUSR2 starts a CPU profile, the second one writes it to the
 * file that ASSAY_BENCH_PROFILE names. So a profile has no start-up in it, and no function that is not compiled yet.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const file = process.env.ASSAY_BENCH_PROFILE ?? '';
const session = new Session();
session.connect();
let running = false;

process.on('SIGUSR2', async () => {
  if (running) {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(file, JSON.stringify(profile));
  } else {
    running = true;
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  }
});
