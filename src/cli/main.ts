#!/usr/bin/env node
import { EXIT } from './exit-codes.js';
import { processIo } from './io.js';
import { run } from './run.js';

process.exitCode = EXIT[await run(process.argv.slice(2), processIo())].code;
