import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Problem } from '../fault/index.js';
import type { ConfigDefinition, Sound } from './definition.js';
import { sortDiagnostics } from './diagnostic.js';
import { interpolate } from './interpolate.js';
import { ContractLibrary } from './library.js';
import { readListeners } from './listeners.js';
import { normalForm } from './normal-form.js';
import { readProfiles } from './profiles.js';
import { readAudit, readQuarantine } from './records.js';
import { Report } from './report.js';
import { readRoutes } from './routes.js';
import { ownShapeProblems } from './schema-files.js';
import { readServer } from './server.js';
import type { LoadResult, Settings } from './settings.js';
import { soundParts } from './sound-parts.js';
import { readSource, SourceFile, unlessAt } from './source-file.js';
import { readUpstreams } from './upstreams.js';

export interface LoadOptions {
  /** Where relative paths in the configuration start. Default: the working directory. */
  readonly cwd?: string;
  /** Where secrets are looked up as files. Default `/run/secrets`. */
  readonly secretsFolder?: string;
}

/** Most bytes of a configuration. */
export const MAX_BYTES = 1_048_576;

/**
 * Loads a configuration and the contracts its routes name, and compiles all of it. Gives frozen settings, or every
 * problem of every file at once. Bad input is never thrown, whatever it is; no Diagnostic and no printed Settings
 * hold the value of a secret.
 */
export async function loadSettings(
  file: string,
  env: NodeJS.ProcessEnv,
  options: LoadOptions = {},
): Promise<LoadResult> {
  const source = readSource(file, MAX_BYTES);
  if (!(source instanceof SourceFile)) return { diagnostics: [source] };
  if (!source.isReadable) return { diagnostics: source.diagnostics(source.yaml.problems) };

  const filled = interpolate(source.yaml.value, env);
  const problems: Problem[] = [...source.yaml.problems, ...filled.problems];
  problems.push(...unlessAt(problems, ownShapeProblems('config', filled.value)));
  const written = soundParts(filled.value, problems) as Sound<ConfigDefinition>;

  const cwd = options.cwd ?? process.cwd();
  const sources = { env, folder: options.secretsFolder ?? '/run/secrets', cwd };
  const warnings: string[] = [];
  const report = new Report(problems, '', warnings);
  const contracts = written.contracts ?? 'schemas';
  const library = new ContractLibrary(options.cwd === undefined ? contracts : resolve(cwd, contracts));
  const profiles = readProfiles(written.failure_profiles, report.at('failure_profiles'));
  const upstreams = await readUpstreams(written.upstreams, profiles, sources, report.at('upstreams'));
  const names = new Set(keysAt(filled.value, 'upstreams'));
  const hasAuth = keysAt(filled.value, 'server').includes('agent_auth');
  const server = await readServer(written.server, hasAuth, sources, report.at('server'));
  const routes = await readRoutes(
    written.routes,
    names,
    upstreams,
    library,
    server.carriers,
    report.at('routes'),
  );
  const settings: Settings = {
    server,
    routes,
    listeners: readListeners(server, upstreams, routes, hasAuth, report.at('upstreams')),
    audit: readAudit(written.audit, cwd, report.at('audit')),
    quarantine: readQuarantine(written.quarantine, cwd, report.at('quarantine')),
    digest: createHash('sha256').update(normalForm(filled.value)).digest('hex'),
    contracts: Object.freeze(library.contracts),
    warnings: Object.freeze(warnings),
  };
  const diagnostics = [...source.diagnostics(problems), ...library.diagnostics];
  return diagnostics.length > 0
    ? { diagnostics: sortDiagnostics(diagnostics) }
    : { settings: Object.freeze(settings) };
}

function keysAt(value: unknown, key: string): string[] {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return [];
  const part: unknown = (value as Readonly<Record<string, unknown>>)[key];
  return typeof part === 'object' && part !== null ? Object.keys(part) : [];
}
