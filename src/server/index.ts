export * from './admin-server.js';
export * from './agent-server.js';
export { endpointText, StartError } from './listen.js';
export * from './log.js';
export * from './serve.js';
export * from './status.js';
export * from './version.js';
