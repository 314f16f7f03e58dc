import { readFileSync } from 'node:fs';

function read(): string {
  // The compiled file is build/src/server/version.js; package.json stands beside build/.
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  const version = (manifest as { version?: unknown }).version;
  if (typeof version !== 'string') throw new Error('package.json has no version');
  return version;
}

/** Version of this sidecar, from package.json. */
export const VERSION: string = read();
