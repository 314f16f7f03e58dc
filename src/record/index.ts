export * from './audit-record.js';
