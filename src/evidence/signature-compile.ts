import type { ContractDefinition } from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { parsePointer } from '../json/index.js';
import { compileSignature } from './signature-kinds.js';
import { SignatureRules } from './signature-rules.js';

/**
 * What a contract demands to be signed, compiled; undefined where it demands nothing. Everything that is wrong is
 * reported at once.
 */
export function compileSignatures(
  definition: ContractDefinition,
): SignatureRules | undefined | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const rules = (definition.signatures ?? []).flatMap((signature, index) => {
    const rule = compileSignature(signature, `/signatures/${index}`, problems);
    return rule === undefined ? [] : [rule];
  });
  checkIds(definition, problems);
  const unsigned = checkUnsigned(definition, problems);
  const from = documentPath(definition, problems);
  if (problems.length > 0) return { problems };
  return rules.length === 0 ? undefined : new SignatureRules(rules, unsigned, from);
}

function checkIds({ signatures }: ContractDefinition, problems: Problem[]): void {
  const ids = new Set<string>();
  for (const [index, { id }] of (signatures ?? []).entries()) {
    if (ids.has(id)) {
      problems.push({
        pointer: `/signatures/${index}/id`,
        rule: 'check-id',
        message: `two signatures are called "${id}"`,
        remedy: 'give each signature its own id',
      });
    }
    ids.add(id);
  }
}

/** The statuses whose answers are believed unsigned: failures only, and never some alternatives of a status. */
function checkUnsigned({ signatures, responses }: ContractDefinition, problems: Problem[]): Set<number> {
  const unsigned = new Set<number>();
  const signed = new Set<number>();
  for (const { status, unsigned: isUnsigned } of responses) {
    for (const one of [status].flat()) (isUnsigned === true ? unsigned : signed).add(one);
  }
  for (const [index, response] of responses.entries()) {
    if (response.unsigned !== true) continue;
    const say = (rule: string, message: string, remedy: string) =>
      problems.push({ pointer: `/responses/${index}/unsigned`, atKey: true, rule, message, remedy });
    const both = [response.status].flat().find((status) => signed.has(status));
    if (signatures === undefined) {
      say('unsigned', 'the contract demands no signatures', 'remove unsigned, or add signatures');
    } else if (response.failure === undefined) {
      say('unsigned', 'a result has to be signed', 'remove unsigned; only a failure is believed without');
    } else if (both !== undefined) {
      const message = `another alternative of status ${both} is signed, so that a stripped answer could pass as this one`;
      say('unsigned', message, 'make all alternatives of the status unsigned, or none');
    }
  }
  return unsigned;
}

/** Where the JWS stands whose payload is the answer; there is one at most, and every alternative needs a document. */
function documentPath(definition: ContractDefinition, problems: Problem[]): readonly string[] | undefined {
  let path: readonly string[] | undefined;
  for (const [index, signature] of (definition.signatures ?? []).entries()) {
    if (!('jws' in signature) || signature.jws.covers !== 'document') continue;
    const pointer = `/signatures/${index}/jws/covers`;
    if (path !== undefined) {
      const message = 'two payloads cannot both be the answer';
      problems.push({
        pointer,
        rule: 'signature',
        message,
        remedy: 'keep one signature with covers: document',
      });
    }
    path = parsePointer(signature.jws.from ?? '');
    const bare = definition.responses.findIndex(
      (response) =>
        response.unsigned !== true && response.schema === undefined && response.parse === undefined,
    );
    if (bare >= 0) {
      problems.push({
        pointer: `/responses/${bare}`,
        atKey: true,
        rule: 'signature',
        message:
          'the answer is the payload of a JWS, and an alternative without schema has no answer to find it in',
        remedy: 'give it a schema, or unsigned: true where it is a failure',
      });
    }
    const other = definition.responses.findIndex((response) => response.parse !== undefined);
    if (other >= 0) {
      problems.push({
        pointer: `/responses/${other}/parse`,
        atKey: true,
        rule: 'signature',
        message: 'the answer is the payload of a JWS in a JSON document, and this alternative is none',
        remedy: 'remove parse, or sign the body instead: covers: body or covers: digest',
      });
    }
  }
  return path;
}
