import { answer } from './answer.js';
import { auditVerify } from './audit-verify.js';
import { check } from './check.js';
import type { Command } from './command.js';
import { demo } from './demo.js';
import { explain } from './explain.js';
import { healthcheck } from './healthcheck.js';
import { sampleUpstream } from './sample-upstream.js';
import { serve } from './serve.js';

/** Every command, in the order of help. */
export const COMMANDS: readonly Command[] = [
  serve,
  check,
  answer,
  explain,
  auditVerify,
  healthcheck,
  demo,
  sampleUpstream,
];
