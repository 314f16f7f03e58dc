export { type ContractFolder, type ContractOptions, loadContract } from './contracts.js';
export * from './fixture.js';
export { type FixturesResult, loadFixtures } from './fixtures.js';
export { type LoadOptions, loadSettings } from './load.js';
export * from './settings.js';
