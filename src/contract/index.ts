export { compileContract } from './compile.js';
export * from './contract.js';
export * from './definition.js';
export { envelopeSchema } from './envelope-schema.js';
export * from './read-path.js';
export * from './shape.js';
export * from './source.js';
export * from './units.js';
