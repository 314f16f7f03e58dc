export * from './call.js';
export * from './deps.js';
export * from './plan.js';
