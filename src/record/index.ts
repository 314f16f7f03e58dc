export * from './audit-file.js';
export { type ChainPoint, MAX_LINE_BYTES } from './audit-line.js';
export * from './audit-options.js';
export * from './audit-record.js';
export { NotAnAuditFileError } from './audit-tail.js';
export * from './audit-verdict.js';
export * from './audit-verify.js';
export * from './digest.js';
export * from './fault-record.js';
export { LockHeldError } from './owner-lock.js';
export * from './quarantine.js';
export {
  listQuarantined,
  type QuarantinedAnswer,
  type QuarantineEntry,
  readQuarantined,
} from './quarantine-file.js';
export * from './quarantine-item.js';
export * from './quarantine-options.js';
