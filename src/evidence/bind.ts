import {
  type BindDefinition,
  type CallContext,
  ITEM,
  parseSource,
  type ReadPath,
  type RequestDefinition,
  readSource,
  type Source,
} from '../contract/index.js';
import { Fault, type Problem } from '../fault/index.js';
import { formatPointer, parsePointer, resolvePointer } from '../json/index.js';
import type { Check } from './check.js';
import { scalarText } from './scalar-text.js';
import { expandTemplate, parseTemplate, type Template } from './template.js';

/**
 * The answer belongs to this request: the value at `bind` equals, or ends with, text made from the request. A value
 * that is absent, or not a scalar, cannot be compared and is refused.
 *
 * @param pointer JSON Pointer of the check in contract.yaml
 */
export function compileBind(
  definition: BindDefinition,
  pointer: string,
  request: RequestDefinition,
): Check | Problem[] {
  const problems: Problem[] = [];
  const say = (member: string, message: string, remedy: string) =>
    problems.push({ pointer: `${pointer}/${member}`, rule: 'check-bind', message, remedy });

  const source = parseSource(definition.bind);
  if (source?.kind !== 'answer' && source?.kind !== 'header') {
    say(
      'bind',
      `"${definition.bind}" is not a place in the answer`,
      'write a JSON Pointer such as /id, or header:NAME',
    );
  }
  const each = definition.each === undefined ? undefined : parsePointer(definition.each);
  if (definition.each !== undefined && each === undefined) {
    say('each', `"${definition.each}" is not a JSON Pointer`, 'write "" for the whole answer or /items');
  }
  if (definition.each !== undefined && source?.kind === 'header') {
    say(
      'each',
      'each goes with a place in its items, and a header is in none',
      'remove each, or bind a JSON Pointer',
    );
  }
  if ((definition.equals === undefined) === (definition.ends_with === undefined)) {
    say('bind', 'needs exactly one of equals and ends_with', 'write equals: "{request.params.NAME}"');
    return problems;
  }
  const member = definition.equals === undefined ? 'ends_with' : 'equals';
  const text = definition.equals ?? definition.ends_with ?? '';
  const template = parseTemplate(text, request);
  if (typeof template === 'string') {
    say(
      member,
      `${member} ${template}`,
      'use {request.params.NAME}, {request.query.NAME}, {request.body/POINTER} or {request.id}',
    );
  } else {
    if (template.parts.length === 0) {
      say(
        member,
        `${member} names nothing of the request`,
        'use {request.params.NAME}; a constant belongs in the schema',
      );
    }
    // Without a delimiter in front, "/pulls/11347" would end with "1347".
    if (member === 'ends_with' && template.head === '') {
      say(
        member,
        'ends_with starts with a placeholder, so a longer value would pass',
        'start with the delimiter: "/{request.params.NAME}"',
      );
    }
  }
  if (problems.length > 0 || typeof template === 'string' || source === undefined) return problems;
  return bindCheck(definition, pointer, source, each, template);
}

function bindCheck(
  definition: BindDefinition,
  pointer: string,
  source: Source,
  each: readonly string[] | undefined,
  template: Template,
): Check {
  const exact = definition.equals !== undefined;
  const fold = definition.ignore_case === true;
  const leaf = source.kind === 'answer' ? source.path : [];

  const holds = (found: { readonly value: unknown } | undefined, wanted: string): boolean => {
    const text = found && scalarText(found.value);
    if (text === undefined) return false;
    const actual = fold ? foldAscii(text) : text;
    return exact ? actual === wanted : actual.endsWith(wanted);
  };
  const refuse = (at: readonly string[], note: string) =>
    new Fault('CHK_BIND', {
      rule: definition.id,
      schema: pointer,
      ...(source.kind === 'answer' ? { instance: formatPointer(at) } : {}),
      note,
    });

  return {
    id: definition.id,
    reads: bindReads(source, each),
    run(value: unknown, context: CallContext): Fault | undefined {
      const expanded = expandTemplate(template, context);
      if (expanded === undefined) return refuse(leaf, 'the request has no value for a placeholder');
      const wanted = fold ? foldAscii(expanded) : expanded;
      if (each === undefined) {
        return holds(readSource(source, value, context), wanted)
          ? undefined
          : refuse(leaf, 'differs from the request');
      }
      const list = resolvePointer(value, each)?.value;
      if (!Array.isArray(list)) return refuse(each, 'is not an array');
      const bad = list.findIndex((item) => !holds(readSource(source, item, context), wanted));
      return bad < 0 ? undefined : refuse([...each, String(bad), ...leaf], 'differs from the request');
    },
  };
}

function bindReads(source: Source, each: readonly string[] | undefined): ReadPath[] {
  if (source.kind !== 'answer') return [];
  return [each === undefined ? source.path : [...each, ITEM, ...source.path]];
}

/** Case folding of ASCII letters only: a wider fold could make two names equal that the upstream tells apart. */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
