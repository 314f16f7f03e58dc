export * from './limits.js';
export * from './projection.js';
export * from './scan.js';
