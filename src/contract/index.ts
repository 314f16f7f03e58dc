export * from './contract.js';
export * from './definition.js';
