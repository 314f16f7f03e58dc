import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUNDLE_FILE, isKept, runBundleAndKeep } from './bundle.js';

/**
 * `npm run build`: runs the bundle once, with the demo, which starts a sidecar and has it answer; keeps what V8 has
 * compiled until then; and puts the program that uses both in the place of main.js. Without the demo, where no port can be
 * had for one, less is kept, and a start takes longer.
 */
const { program, keep } = runBundleAndKeep(BUNDLE_FILE);
const { argv, stdout } = process;
const { write } = stdout;
process.argv = [...argv.slice(0, 2), 'demo', '--once'];
stdout.write = () => true;
await program.main();
stdout.write = write;
if (process.exitCode !== 0) {
  process.stderr.write(
    'build: the demo fails, so that a start will compile what it could have found compiled\n',
  );
  process.exitCode = 0;
}
keep();
if (!isKept(BUNDLE_FILE)) throw new Error('V8 does not take what it kept');
copyFileSync(beside('main-bundled.js'), beside('main.js'));

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
