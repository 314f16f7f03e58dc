#!/usr/bin/env node
import { main } from './entry.js';

await main();
