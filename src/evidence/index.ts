export * from './check.js';
export * from './compile.js';
export * from './instant.js';
export * from './signature.js';
export * from './signature-compile.js';
export * from './signature-rules.js';
