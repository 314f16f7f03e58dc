export * from './check.js';
export * from './compile.js';
export * from './duration.js';
export * from './instant.js';
