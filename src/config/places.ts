import type { Diagnostic, Problem } from '../fault/index.js';
import type { ConfigDefinition, Sound } from './definition.js';
import { readEndpoint } from './endpoint.js';
import { interpolate } from './interpolate.js';
import { type LoadOptions, MAX_BYTES } from './load.js';
import { readAudit } from './records.js';
import { Report } from './report.js';
import { ownShapeProblems } from './schema-files.js';
import type { Endpoint } from './settings.js';
import { soundParts } from './sound-parts.js';
import { readSource, SourceFile, unlessAt } from './source-file.js';

/** Where a running sidecar is found, and what it leaves behind. */
export interface Places {
  readonly admin: Endpoint | undefined;
  /** Absolute path. */
  readonly auditFile: string | undefined;
}

const NEEDED: ReadonlySet<string> = new Set(['/server/admin', '/audit/file']);

/**
 * Reads `server.admin` and `audit.file` alone, for those who look at a sidecar from outside: no secret is resolved, no
 * contract is loaded, and a variable may be unset where neither of the two needs it. The file's shape must be sound.
 */
export async function loadPlaces(
  file: string,
  env: NodeJS.ProcessEnv,
  options: Pick<LoadOptions, 'cwd'> = {},
): Promise<{ readonly places: Places } | { readonly diagnostics: readonly Diagnostic[] }> {
  const source = readSource(file, MAX_BYTES);
  if (!(source instanceof SourceFile)) return { diagnostics: [source] };
  if (!source.isReadable) return { diagnostics: source.diagnostics(source.yaml.problems) };

  const filled = interpolate(source.yaml.value, env);
  const earlier = [...source.yaml.problems, ...filled.problems];
  const problems: Problem[] = [
    ...source.yaml.problems,
    ...filled.problems.filter(({ pointer }) => NEEDED.has(pointer)),
    ...unlessAt(earlier, ownShapeProblems('config', filled.value)),
  ];
  const written = soundParts(filled.value, problems) as Sound<ConfigDefinition>;
  const report = new Report(problems);
  const admin = written.server?.admin;
  const places: Places = {
    admin: admin === undefined ? undefined : readEndpoint(admin, report.at('server', 'admin')),
    auditFile: readAudit(written.audit, options.cwd ?? process.cwd(), report.at('audit'))?.file,
  };
  return problems.length > 0 ? { diagnostics: source.diagnostics(problems) } : { places };
}
