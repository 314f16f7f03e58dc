export * from './demo-calls.js';
export * from './fixture.js';
export type { GivenBytes } from './given-answer.js';
export * from './run-fixture.js';
export * from './sample-upstream.js';
export * from './self-proof.js';
export * from './tool.js';
