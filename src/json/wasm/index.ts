export { compileScanPlan, type ScanPlan } from './plan.js';
export { createPlannedScanner, createWasmScanner } from './scanner.js';
export { scanWhole, type WholeScan } from './whole.js';
