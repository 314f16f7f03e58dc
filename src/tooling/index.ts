export * from './demo-calls.js';
export * from './fixture.js';
export * from './run-fixture.js';
export * from './sample-upstream.js';
export * from './self-proof.js';
