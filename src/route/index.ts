export * from './assemble.js';
export * from './call.js';
export * from './deps.js';
export * from './mount.js';
export * from './pipeline.js';
export * from './plan.js';
