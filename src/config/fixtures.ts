import { type Dirent, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { nearest } from '../contract/index.js';
import { type Diagnostic, isOperatorCode, OPERATOR_CODES, type Problem } from '../fault/index.js';
import { fileDiagnostic, sortDiagnostics } from './diagnostic.js';
import { FIXTURE_KINDS, type FixtureDefinition, type FixtureKind, type LoadedFixture } from './fixture.js';
import { readBytes } from './read-file.js';
import { readSource, SourceFile, shapeProblems } from './source-file.js';

const MAX_FIXTURE_BYTES = 4 * 1_048_576;
const MAX_BODY_BYTES = 16 * 1_048_576;

export type FixturesResult =
  | { readonly fixtures: readonly LoadedFixture[] }
  | { readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads `fixtures/accept`, `fixtures/refuse` and `fixtures/past` of a contract's folder: every `.yaml` file in them is
 * a fixture, every other file must be the body of one. Nothing is skipped: a file that no fixture accounts for is a
 * problem, since whoever put it there believes that it is run. A contract without a folder `fixtures` has none.
 */
export function loadFixtures(folder: string): FixturesResult {
  const root = join(folder, 'fixtures');
  const fixtures: LoadedFixture[] = [];
  const diagnostics: Diagnostic[] = [];
  const bodies = new Set<string>();
  const others: string[] = [];
  for (const entry of entries(root)) {
    const kind = FIXTURE_KINDS.find((k) => k === entry.name);
    if (kind === undefined || !entry.isDirectory()) {
      const meant = nearest(entry.name, FIXTURE_KINDS);
      const remedy =
        meant === undefined ? 'Fixtures stand in accept, refuse and past.' : `Did you mean "${meant}"?`;
      diagnostics.push(
        fileDiagnostic(join(root, entry.name), 'stray-file', 'this belongs to no fixture', remedy),
      );
      continue;
    }
    for (const { name } of entries(join(root, kind))) {
      const file = join(root, kind, name);
      if (!name.endsWith('.yaml')) {
        others.push(file);
        continue;
      }
      const loaded = loadFixture(file, kind, root, bodies);
      if ('diagnostics' in loaded) diagnostics.push(...loaded.diagnostics);
      else fixtures.push(loaded);
    }
  }
  for (const file of others) {
    if (bodies.has(resolve(file))) continue;
    const remedy = 'Name it in the body_file of a fixture, end its name in .yaml if it is one, or remove it.';
    diagnostics.push(fileDiagnostic(file, 'stray-file', 'this belongs to no fixture', remedy));
  }
  return diagnostics.length > 0 ? { diagnostics: sortDiagnostics(diagnostics) } : { fixtures };
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function loadFixture(
  file: string,
  kind: FixtureKind,
  root: string,
  bodies: Set<string>,
): LoadedFixture | { readonly diagnostics: readonly Diagnostic[] } {
  const source = readSource(file, MAX_FIXTURE_BYTES);
  if (!(source instanceof SourceFile)) return { diagnostics: [source] };
  const problems = shapeProblems(source, 'fixture');
  const definition = source.yaml.value as FixtureDefinition;
  if (problems.length > 0) return { diagnostics: source.diagnostics(problems) };
  problems.push(...meaningProblems(definition, kind));

  const { answer } = definition;
  let body: Uint8Array = new Uint8Array();
  let path: string | undefined;
  if (Object.hasOwn(answer, 'body')) body = Buffer.from(JSON.stringify(answer.body));
  else if (answer.body_text !== undefined) body = Buffer.from(answer.body_text);
  else if (answer.body_base64 !== undefined) body = Buffer.from(answer.body_base64, 'base64');
  else if (answer.body_file !== undefined) {
    path = resolve(dirname(file), answer.body_file);
    bodies.add(path);
    const read = readBody(path, root);
    if (read instanceof Uint8Array) body = read;
    else problems.push(read);
  }
  if (problems.length > 0) return { diagnostics: source.diagnostics(problems) };
  const resolved =
    path === undefined ? definition : { ...definition, answer: { ...answer, body_file: path } };
  return { file, kind, definition: resolved, body };
}

function readBody(path: string, root: string): Uint8Array | Problem {
  const no = (message: string): Problem => ({
    pointer: '/answer/body_file',
    rule: 'body-file',
    message: `answer.body_file ${message}`,
    remedy: "Name a file in the contract's folder fixtures; the path starts at the folder of this fixture.",
  });
  if (relative(resolve(root), path).startsWith('..')) return no('leads out of the folder fixtures');
  const bytes = readBytes(path, MAX_BODY_BYTES);
  return bytes instanceof Uint8Array ? bytes : no(`cannot be read: ${bytes.message}`);
}

function meaningProblems(definition: FixtureDefinition, kind: FixtureKind): Problem[] {
  const problems: Problem[] = [];
  const { expect, answer } = definition;
  const bodies = ['body', 'body_text', 'body_base64', 'body_file'].filter((key) =>
    Object.hasOwn(answer, key),
  );
  if (bodies.length > 1) {
    problems.push({
      pointer: '/answer',
      atKey: true,
      rule: 'one-of-keys',
      message: `answer has more than one body: ${bodies.join(' and ')}`,
      remedy: 'Keep one of them.',
    });
  }
  const wanted = kind === 'refuse' ? 'code' : 'result';
  if (!Object.hasOwn(expect, wanted)) {
    problems.push({
      pointer: '/expect',
      atKey: true,
      rule: 'wrong-expectation',
      message: `a fixture in the folder ${kind} expects a ${wanted}`,
      remedy: `Write expect.${wanted}, or move the fixture to ${kind === 'refuse' ? 'accept or past' : 'refuse'}.`,
    });
  }
  if ('code' in expect && !isOperatorCode(expect.code)) {
    const meant = nearest(expect.code, Object.keys(OPERATOR_CODES));
    problems.push({
      pointer: '/expect/code',
      rule: 'unknown-code',
      message: 'expect.code is no operator code',
      remedy: meant === undefined ? '"assay explain" lists them.' : `Did you mean "${meant}"?`,
    });
  }
  return problems;
}
