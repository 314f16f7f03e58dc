/**
 * Assay for a program that embeds it: load a configuration, prove its contracts, serve. Everything else is internal.
 */
export { type LoadOptions, type LoadResult, loadSettings, type Settings } from './config/index.js';
export {
  type AgentCode,
  type Diagnostic,
  Fault,
  formatDiagnostic,
  type OperatorCode,
} from './fault/index.js';
export type { AuditRecord } from './record/index.js';
export {
  type RunningServer,
  type ServeOptions,
  StartError,
  startServer,
  VERSION,
} from './server/index.js';
export { formatVerdict, proveContracts, type SelfProof } from './tooling/index.js';
