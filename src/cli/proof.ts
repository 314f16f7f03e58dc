import type { Settings } from '../config/index.js';
import { formatVerdict, proveContracts } from '../tooling/index.js';
import type { Io } from './io.js';

export interface ContractProof {
  /** `tool@major` */
  readonly name: string;
  /** Fixtures that behaved as they claim. */
  readonly passed: number;
}

/** Runs every fixture of every contract in use; prints those that do not behave as they claim, then gives undefined. */
export async function proveOrReport(
  settings: Settings,
  io: Io,
): Promise<readonly ContractProof[] | undefined> {
  const proofs: ContractProof[] = [];
  let failed = 0;
  for (const contract of settings.contracts) {
    const proof = await proveContracts([contract]);
    for (const verdict of proof.failed) io.err(formatVerdict(verdict));
    failed += proof.failed.length;
    proofs.push({ name: contract.source.name, passed: proof.passed });
  }
  if (failed === 0) return proofs;
  io.err(`\n${failed} ${failed === 1 ? 'fixture does' : 'fixtures do'} not behave as claimed\n`);
  io.err('  = fix the contract, or the fixture where what it claims is no longer wanted\n');
  return undefined;
}
