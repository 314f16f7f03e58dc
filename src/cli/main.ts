#!/usr/bin/env node
import { onCrash } from './crash.js';
import { EXIT } from './exit-codes.js';
import { processIo } from './io.js';
import { run } from './run.js';

const io = processIo();
onCrash(io);
process.exitCode = EXIT[await run(process.argv.slice(2), io)].code;
