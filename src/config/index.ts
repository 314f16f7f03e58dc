export { type ContractFolder, type ContractOptions, loadContract } from './contracts.js';
export * from './fixture.js';
export { type FixturesResult, loadFixtures } from './fixtures.js';
export { type LoadOptions, loadSettings } from './load.js';
export { loadPlaces, type Places } from './places.js';
export { ownSchema } from './schema-files.js';
export * from './settings.js';
