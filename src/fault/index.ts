export * from './agent-code.js';
export * from './assert-never.js';
export * from './fault.js';
export * from './operator-code.js';
export * from './problem.js';
