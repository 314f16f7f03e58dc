import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type LoadedContract, loadFixtures } from '../config/index.js';
import { formatDiagnostic, type Problem } from '../fault/index.js';
import { type Assembled, assembleContract } from '../route/index.js';
import { type FixtureVerdict, runFixture } from './run-fixture.js';

export interface SelfProof {
  /** Fixtures that gave what they claim. */
  readonly passed: number;
  readonly failed: readonly FixtureVerdict[];
}

/** A contract, compiled where that is done already. */
export type Provable = Pick<LoadedContract, 'source' | 'folder'> & { readonly assembled?: Assembled };

/** Kinds of which a contract needs at least one fixture, and what one shows. */
const NEEDED = {
  accept: 'what a sound answer gives',
  refuse: 'that it refuses something',
} as const;

/** Runs every fixture of every contract. Nothing is sent anywhere; the clock is the fixture's. */
export async function proveContracts(contracts: readonly Provable[]): Promise<SelfProof> {
  let passed = 0;
  const failed: FixtureVerdict[] = [];
  for (const contract of contracts) {
    // Nothing below waits for anything outside: between two contracts, signals are heard.
    await setImmediate();
    const proof = await proveContract(contract);
    passed += proof.passed;
    failed.push(...proof.failed);
  }
  return { passed, failed };
}

/**
 * Runs the fixtures of one contract on the compiled contract itself, so that what serves is what was proven. It fails as a
 * whole where it does not compile, where a fixture cannot be read, and where it lacks a fixture of a kind that each
 * contract needs: nothing shows then that it does what it is for.
 */
export async function proveContract({ source, folder, assembled }: Provable): Promise<SelfProof> {
  const compiled = assembled ?? assembleContract(source);
  if ('problems' in compiled) {
    const file = join(folder, 'contract.yaml');
    return { passed: 0, failed: compiled.problems.map((problem) => unsound(file, problem)) };
  }
  const loaded = loadFixtures(folder);
  if ('diagnostics' in loaded) {
    const failed = loaded.diagnostics.map((diagnostic) => ({
      ...unsound(diagnostic.file, diagnostic),
      title: 'the fixtures load',
      diagnostic,
    }));
    return { passed: 0, failed };
  }

  const failed: FixtureVerdict[] = [];
  for (const kind of ['accept', 'refuse'] as const) {
    if (loaded.fixtures.some((fixture) => fixture.kind === kind)) continue;
    failed.push({
      file: join(folder, 'fixtures', kind),
      title: `${source.name} shows ${NEEDED[kind]}`,
      kind,
      ok: false,
      expected: 'at least one fixture in this folder',
      got: 'none',
      missing: true,
    });
  }
  let passed = 0;
  for (const fixture of loaded.fixtures) {
    const verdict = await runFixture(compiled, fixture);
    if (verdict.ok) passed++;
    else failed.push(verdict);
  }
  return { passed, failed };
}

/** One verdict as a person reads it: the file first, as editors and terminals link it. */
export function formatVerdict(verdict: FixtureVerdict): string {
  if (verdict.diagnostic !== undefined) return formatDiagnostic(verdict.diagnostic);
  const head = `${verdict.file}: ${verdict.title}`;
  if (verdict.ok) return `${head}: ok\n`;
  return `${head}\n  expected ${indent(verdict.expected)}\n  got      ${indent(verdict.got)}\n`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n           ');
}

function unsound(file: string, problem: Problem): FixtureVerdict {
  return {
    file,
    title: 'the contract and its fixtures load',
    kind: 'contract',
    ok: false,
    expected: 'no problem',
    got: `${problem.message} at ${JSON.stringify(problem.pointer)} [${problem.rule}]: ${problem.remedy}`,
  };
}
