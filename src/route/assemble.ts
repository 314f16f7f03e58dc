import {
  type Contract,
  type ContractSource,
  compileContract,
  type Validators,
  withParsedSchemas,
} from '../contract/index.js';
import { type Check, compileChecks, compileSignatures, type SignatureRules } from '../evidence/index.js';
import type { Problem } from '../fault/index.js';

/** A contract with the checks of its alternatives (outer index: alternative). */
export interface Assembled {
  readonly contract: Contract;
  readonly checks: readonly (readonly Check[])[];
  /** What has to be signed, its keys still only names; a route needs them bound. */
  readonly signatures?: SignatureRules;
}

/**
 * Compiles a contract and its checks, so that the projection keeps what the checks read. Reports every problem.
 *
 * @param validators those of the contracts that are loaded with this one; default: its own
 */
export function assembleContract(
  source: ContractSource,
  validators?: Validators,
): Assembled | { readonly problems: readonly Problem[] } {
  const evidence = compileChecks(withParsedSchemas(source.definition), source.schemas);
  const checks = 'problems' in evidence ? source.definition.responses.map(() => []) : evidence.checks;
  const compiled = compileContract(
    source,
    checks.map((list: readonly Check[]) => list.flatMap((check) => check.reads)),
    validators,
    'problems' in evidence ? [] : evidence.failures,
  );
  const signatures = compileSignatures(source.definition);
  const problems = [
    ...('problems' in evidence ? evidence.problems : []),
    ...('problems' in compiled ? compiled.problems : []),
    ...(signatures !== undefined && 'problems' in signatures ? signatures.problems : []),
  ];
  if (problems.length > 0 || 'problems' in compiled) return { problems };
  const assembled = { contract: compiled.contract, checks };
  return signatures === undefined || 'problems' in signatures ? assembled : { ...assembled, signatures };
}
