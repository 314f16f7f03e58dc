export * from './envelope.js';
export * from './profile.js';
export * from './request-id.js';
