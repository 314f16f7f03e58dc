import type { Settings } from '../config/index.js';
import { type FixtureVerdict, formatVerdict, proveContracts } from '../tooling/index.js';
import type { Exit } from './exit-codes.js';
import type { Io } from './io.js';

export interface ContractProof {
  /** `tool@major` */
  readonly name: string;
  /** Fixtures that behaved as they claim. */
  readonly passed: number;
}

/**
 * Runs every fixture of every contract in use. Prints those that do not behave as they claim, those that cannot be run
 * and the kinds that are missing, then gives the exit.
 */
export async function proveOrReport(
  settings: Settings,
  io: Io,
): Promise<{ readonly proofs: readonly ContractProof[] } | { readonly exit: Exit }> {
  const proofs: ContractProof[] = [];
  const failed: FixtureVerdict[] = [];
  for (const contract of settings.contracts) {
    const proof = await proveContracts([contract]);
    failed.push(...proof.failed);
    proofs.push({ name: contract.source.name, passed: proof.passed });
  }
  if (failed.length === 0) return { proofs };
  io.err(failed.map(formatVerdict).join('\n'));

  const unsound = failed.filter(({ diagnostic }) => diagnostic !== undefined).length;
  const missing = failed.filter((verdict) => verdict.missing === true).length;
  const wrong = failed.length - unsound - missing;
  io.err('\n');
  if (unsound > 0) {
    io.err(`${unsound} ${unsound === 1 ? 'problem' : 'problems'} in the files of fixtures\n`);
  }
  if (missing > 0) {
    io.err(
      `${missing} ${missing === 1 ? 'kind' : 'kinds'} of fixture that a contract needs: there is none\n`,
    );
    io.err('  = write one that shows it: docs/first-contract.md\n');
  }
  if (wrong > 0) {
    io.err(`${wrong} ${wrong === 1 ? 'fixture does' : 'fixtures do'} not behave as claimed\n`);
    io.err('  = fix the contract, or the fixture where what it claims is no longer wanted\n');
  }
  return { exit: unsound > 0 ? 'CONFIG' : 'FIXTURES' };
}
