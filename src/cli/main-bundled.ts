#!/usr/bin/env node
import { BUNDLE_FILE, runBundle } from './bundle.js';

/** What the build puts in the place of main.js: the same program in one script, which V8 has compiled before. */
await runBundle(BUNDLE_FILE).main();
