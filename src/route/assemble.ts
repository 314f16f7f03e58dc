import { type Contract, type ContractSource, compileContract } from '../contract/index.js';
import { type Check, compileChecks } from '../evidence/index.js';
import type { Problem } from '../fault/index.js';

/** A contract with the checks of its alternatives (outer index: alternative). */
export interface Assembled {
  readonly contract: Contract;
  readonly checks: readonly (readonly Check[])[];
}

/** Compiles a contract and its checks, so that the projection keeps what the checks read. Reports every problem. */
export function assembleContract(
  source: ContractSource,
): Assembled | { readonly problems: readonly Problem[] } {
  const evidence = compileChecks(source.definition);
  const checks = 'problems' in evidence ? source.definition.responses.map(() => []) : evidence.checks;
  const compiled = compileContract(
    source,
    checks.map((list: readonly Check[]) => list.flatMap((check) => check.reads)),
  );
  const problems = [
    ...('problems' in evidence ? evidence.problems : []),
    ...('problems' in compiled ? compiled.problems : []),
  ];
  if (problems.length > 0 || 'problems' in compiled) return { problems };
  return { contract: compiled.contract, checks };
}
