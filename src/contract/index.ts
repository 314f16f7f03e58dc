export * from './contract.js';
export * from './definition.js';
export * from './read-path.js';
export * from './source.js';
