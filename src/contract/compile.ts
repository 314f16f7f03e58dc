import { createHash } from 'node:crypto';
import type { Problem } from '../fault/index.js';
import { AlternativesCompiler, type CompiledAlternative } from './alternatives.js';
import { bundle } from './bundle.js';
import type { Contract, FailureRules, RequestRules, ResultRules } from './contract.js';
import type { ContractDefinition, ContractSource } from './definition.js';
import { deepFreeze } from './freeze.js';
import { normalForm } from './normal-form.js';
import { withParsedSchemas } from './parse-kind.js';
import { below, inContract, problemAt } from './place.js';
import type { ReadPath } from './read-path.js';
import { compileRequest } from './request-rules.js';
import { resultBound } from './result-bound.js';
import { SchemaLibrary } from './schema-library.js';
import { checkSelect } from './select-check.js';
import { acceptHeader, indistinct, readTwoWays, statusGroups } from './status-groups.js';
import { Validators } from './validator.js';

/**
 * Compiles a contract: everything that can be decided without a call is decided here, and everything that is wrong is
 * reported at once. Nothing is read, and nothing is thrown for what an author can write.
 *
 * @param source the contract as loaded; it is copied, and not changed
 * @param reads per alternative (same index): the places in the answer that its checks look at
 * @param validators those of the contracts that are loaded with this one
 * @param failures per alternative (same index): the cases of its failure, where it has some
 */
export function compileContract(
  source: ContractSource,
  reads: readonly (readonly ReadPath[])[],
  validators = new Validators(),
  failures: readonly (FailureRules | undefined)[] = [],
): { readonly contract: Contract } | { readonly problems: readonly Problem[] } {
  const { definition: written, schemas } = structuredClone({
    definition: source.definition,
    schemas: source.schemas,
  });
  const definition = withParsedSchemas(written);
  const library = new SchemaLibrary(schemas);
  const { problems } = library;

  const request = compileRequest(definition.request, library, validators);
  const compiler = new AlternativesCompiler(definition, library, validators);
  const compiled = definition.responses
    .map((response, i) => compiler.compile(response, i, reads[i] ?? [], failures[i]))
    .filter((alternative) => alternative !== undefined);
  problems.push(...indistinct(compiled), ...readTwoWays(compiled));
  const result = compileResult(definition, request, compiled, library, validators);
  if (problems.length > 0 || result === undefined) return { problems };

  return {
    contract: deepFreeze({
      tool: definition.tool,
      version: definition.version,
      name: source.name,
      purpose: definition.purpose,
      digest: digest(written, library.used()),
      request,
      alternatives: compiled.map(({ alternative }) => alternative),
      byStatus: statusGroups(compiled),
      accept: acceptHeader(compiled),
      result,
      caseInsensitiveNames: definition.names === 'case_insensitive',
      numbers: definition.numbers ?? 'number',
      ...(definition.signatures === undefined ? {} : { isSigned: true as const }),
    }),
  };
}

/** Stage 9's rules; undefined when something is wrong, which then is in the problems. */
function compileResult(
  definition: ContractDefinition,
  request: RequestRules,
  alternatives: readonly CompiledAlternative[],
  library: SchemaLibrary,
  validators: Validators,
): ResultRules | undefined {
  const { problems } = library;
  const selecting = definition.responses.findIndex((response) => response.select !== undefined);
  if (definition.result === undefined) {
    if (selecting < 0) return NO_RESULT;
    problems.push(
      problemAt(inContract('responses', String(selecting), 'select'), {
        rule: 'no-result-schema',
        message: 'select makes a result, and the contract has no schema for it',
        remedy: 'add result: result.schema.json',
        atKey: true,
      }),
    );
    return undefined;
  }
  if (selecting < 0) {
    problems.push(
      problemAt(inContract('result'), {
        rule: 'unused-result-schema',
        message: 'every alternative is a failure, so that there is no result',
        remedy: 'remove it, or select something',
        atKey: true,
      }),
    );
  }
  const site = library.open(definition.result, inContract('result'));
  if (site === undefined) return undefined;
  const bundled = bundle(site);
  const bound = resultBound(bundled);
  if ('problems' in bound) problems.push(...bound.problems);
  for (const { select, place, bundle: answer } of alternatives) {
    if (select === undefined) continue;
    problems.push(...checkSelect(select.plan, below(place, 'select'), { answer, request, result: bundled }));
  }
  const validator = validators.compile(bundled);
  if (!('accepts' in validator)) {
    problems.push(...validator);
    return undefined;
  }
  if ('problems' in bound) return undefined;
  const untrustedText = displayTexts(alternatives);
  return {
    validate: (value) => validator.first(value),
    schema: bundled.root,
    maxBytes: bound.maxBytes,
    ...(untrustedText.size === 0 ? {} : { untrustedText }),
  };
}

/** Every alternative is a failure: nothing is ever a result. */
const NO_RESULT: ResultRules = {
  validate: () => ({ instance: '', schema: '', rule: 'no-result' }),
  schema: false,
  maxBytes: 0,
};

function displayTexts(alternatives: readonly CompiledAlternative[]): Map<string, number> {
  const texts = new Map<string, number>();
  for (const { select } of alternatives) {
    for (const { name, maxLength } of select?.plan.texts ?? []) {
      texts.set(name, Math.max(texts.get(name) ?? 0, maxLength));
    }
  }
  return texts;
}

/** SHA-256 of what the contract says, however it is laid out. */
function digest(definition: ContractDefinition, schemas: ReadonlyMap<string, unknown>): string {
  const text = normalForm({ definition, schemas: Object.fromEntries(schemas) });
  return createHash('sha256').update(text).digest('hex');
}
