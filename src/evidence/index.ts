export * from './check.js';
export * from './compile.js';
export * from './instant.js';
