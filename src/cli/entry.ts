import { onCrash } from './crash.js';
import { EXIT } from './exit-codes.js';
import { processIo } from './io.js';
import { run } from './run.js';

/** The whole program: runs the command line of the process and sets its exit code. */
export async function main(): Promise<void> {
  const io = processIo();
  onCrash(io);
  process.exitCode = EXIT[await run(process.argv.slice(2), io)].code;
}
