export * from './kept-bytes.js';
export * from './limits.js';
export * from './ndjson.js';
export * from './number.js';
export * from './pointer.js';
export * from './pointer-bounds.js';
export * from './projection.js';
export * from './scan.js';
export * from './text.js';
export * from './text-body.js';
export { TEXT_CLASSES, type TextClass } from './text-classes.js';
export type { ScanCode, Violation } from './violation.js';
export {
  compileScanPlan,
  createPlannedScanner,
  type ScanPlan,
  scanWhole,
  type WholeScan,
} from './wasm/index.js';
