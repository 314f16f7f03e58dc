export type { FixtureDefinition, FixtureKind, LoadedFixture } from '../config/index.js';
