export * from './agent-code.js';
export * from './assert-never.js';
export { describeError } from './describe-error.js';
export * from './fault.js';
export * from './operator-code.js';
export { printableExcerpt } from './printable.js';
export * from './problem.js';
