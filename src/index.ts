/**
 * Assay for a program that embeds it: load a configuration, prove its contracts, serve; or run bytes that did not come
 * over HTTP through a contract; or the pipeline itself over what the program sends with. Everything else is internal.
 * docs/library.md has an example.
 */
export { type LoadOptions, type LoadResult, loadSettings, type Settings } from './config/index.js';
export {
  type AgentCode,
  type Diagnostic,
  Fault,
  formatDiagnostic,
  type OperatorCode,
} from './fault/index.js';
export { type AuditRecord, type AuditSink, openAuditFile } from './record/index.js';
export {
  type AgentAnswer,
  createPipeline,
  type IncomingCall,
  type Mount,
  type Pipeline,
  type PipelineDeps,
  type RouteLimits,
  type RoutePlan,
} from './route/index.js';
export {
  type RunningServer,
  type ServeOptions,
  StartError,
  startServer,
  VERSION,
} from './server/index.js';
export {
  formatVerdict,
  type GivenBytes,
  openTool,
  proveContracts,
  type SelfProof,
  type Tool,
  type ToolAnswer,
  type ToolBytes,
  type ToolCall,
  type ToolOptions,
  toolOfRoute,
} from './tooling/index.js';
