import { type AgentCode, DECLARABLE_CODES, Fault, type Problem } from '../fault/index.js';
import { formatPointer, parsePointer } from '../json/index.js';
import { type Bundle, bundle } from './bundle.js';
import type { Alternative, FailureOutcome, FailureRules, HeaderRules, SelectOutcome } from './contract.js';
import type { ContractDefinition, FailureByValue, FailureCases, ResponseDefinition } from './definition.js';
import { ABSENT, follow } from './follow.js';
import { isNode, subschemas } from './keywords.js';
import { compileLinks } from './links.js';
import { bodyKind, defaultMediaType, misparsed, unsigned } from './parse-kind.js';
import { below, inContract, type Place, problemAt } from './place.js';
import type { ReadPath } from './read-path.js';
import { compileResponseHeaders } from './response-headers.js';
import type { SchemaLibrary } from './schema-library.js';
import { runSelect } from './select.js';
import { type CompiledSelect, compileSelect } from './select-plan.js';
import { typeList } from './sound-types.js';
import type { Validator, Validators } from './validator.js';

/** One alternative, and what the rest of compilation needs of it. */
export interface CompiledAlternative {
  readonly alternative: Alternative;
  readonly bundle: Bundle | undefined;
  readonly reads: readonly ReadPath[];
  readonly select: CompiledSelect | undefined;
  readonly place: Place;
}

export class AlternativesCompiler {
  readonly #definition: ContractDefinition;
  readonly #library: SchemaLibrary;
  readonly #validators: Validators;
  readonly #problems: Problem[];

  constructor(definition: ContractDefinition, library: SchemaLibrary, validators: Validators) {
    this.#definition = definition;
    this.#library = library;
    this.#validators = validators;
    this.#problems = library.problems;
  }

  /** Undefined where too much is wrong to make one; the library's problems say what. */
  compile(
    response: ResponseDefinition,
    index: number,
    checkReads: readonly ReadPath[],
    failureRules: FailureRules | undefined,
  ): CompiledAlternative | undefined {
    const place = inContract('responses', String(index));
    const statuses = this.#statuses(response, place);
    const mediaType = this.#mediaType(response, place);
    const kind = bodyKind(response, place, this.#problems);
    const body = response.schema === undefined ? 'none' : (kind?.kind ?? 'none');
    this.#problems.push(...unsigned(this.#definition, response, place));
    const bundled = this.#bundle(response, place, statuses);
    if (kind !== undefined) this.#problems.push(...misparsed(kind, response, bundled, place));
    const validator = bundled && this.#validator(bundled);
    const headers = compileResponseHeaders(response, place, this.#library, this.#validators);
    const outcome = this.#outcome(response, place, failureRules, headers);
    if (outcome === undefined || (body !== 'none' && validator === undefined)) return undefined;
    return {
      alternative: {
        index,
        statuses,
        mediaType,
        body,
        ...(kind?.maxLines === undefined ? {} : { maxLines: kind.maxLines }),
        ...(kind?.pattern === undefined ? {} : { pattern: kind.pattern }),
        accepts: validator === undefined ? () => true : (value) => validator.accepts(value),
        first: validator === undefined ? () => undefined : (value) => validator.first(value),
        explain: validator === undefined ? () => [] : (value) => validator.explain(value),
        outcome: outcome.outcome,
        ...(headers === undefined ? {} : { headers }),
      },
      bundle: bundled,
      reads: [...outcome.reads, ...checkReads],
      select: outcome.select,
      place,
    };
  }

  #statuses(response: ResponseDefinition, place: Place): ReadonlySet<number> {
    const list = typeof response.status === 'number' ? [response.status] : response.status;
    const at = below(place, 'status');
    const statuses = new Set(list);
    if (statuses.size < list.length) this.#say(at, 'status', 'a status stands twice', 'remove one of them');
    for (const status of statuses) {
      // RFC 9110 section 15: 1xx are not final; a redirect is never followed and says nothing.
      if (Number.isInteger(status) && status >= 200 && status <= 599 && !(status >= 300 && status <= 399))
        continue;
      this.#say(
        at,
        'status',
        `${status} is not the status of a final answer`,
        'use 200 to 299 or 400 to 599',
      );
    }
    return statuses;
  }

  #mediaType(response: ResponseDefinition, place: Place): string {
    const text = response.media_type ?? defaultMediaType(response);
    // RFC 9110 section 8.3.1; parameters are looked at by the transport stage.
    if (!/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(text)) {
      const message = 'the media type is not type/subtype in lower case';
      this.#say(below(place, 'media_type'), 'media-type', message, 'write for example application/json');
    }
    return text === 'application/json' && response.parse === undefined ? 'json' : text;
  }

  #bundle(response: ResponseDefinition, place: Place, statuses: ReadonlySet<number>): Bundle | undefined {
    if (response.schema === undefined) return undefined;
    const at = below(place, 'schema');
    // RFC 9110 sections 15.3.5 and 15.3.6: they end with the header section.
    for (const status of [204, 205]) {
      if (!statuses.has(status)) continue;
      this.#say(at, 'no-body', `an answer with status ${status} has no body`, 'remove the schema');
    }
    const site = this.#library.open(response.schema, at);
    const bundled = site && bundle(site);
    if (bundled !== undefined && this.#definition.numbers === 'string') this.#numbersAreText(bundled);
    return bundled;
  }

  /** With `numbers: string` every number arrives as text, so that a schema for numbers fits nothing. */
  #numbersAreText(bundled: Bundle): void {
    const open: unknown[] = [bundled.root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!isNode(node)) continue;
      open.push(...subschemas(node).map((sub) => sub.schema));
      const type = typeList(node.type)?.find((name) => name === 'number' || name === 'integer');
      const place = bundled.placeOf(node, 'type');
      if (type === undefined || place === undefined) continue;
      const message = `with numbers: string no value of the answer is of type ${type}`;
      this.#say(
        place,
        'numbers-are-text',
        message,
        'write type: string and a pattern such as "^-?[0-9]{1,19}$"',
      );
    }
  }

  #validator(bundled: Bundle): Validator | undefined {
    const compiled = this.#validators.compile(bundled);
    if ('accepts' in compiled) return compiled;
    this.#problems.push(...compiled);
    return undefined;
  }

  #outcome(
    response: ResponseDefinition,
    place: Place,
    failureRules: FailureRules | undefined,
    headers: HeaderRules | undefined,
  ):
    | { outcome: SelectOutcome | FailureOutcome; reads: readonly ReadPath[]; select?: CompiledSelect }
    | undefined {
    const { select, failure } = response;
    const links = compileLinks(response, place, this.#definition, this.#problems);
    if ((select === undefined) === (failure === undefined)) {
      const remedy = 'write select for a result, or failure: NOT_FOUND and the like';
      this.#say(place, 'one-outcome', 'an alternative needs exactly one of select and failure', remedy);
      return undefined;
    }
    if (failure !== undefined) return this.#failure(response, failure, place, failureRules);
    if (select === undefined) return undefined;
    const scope = { request: this.#definition.request, hasBody: response.schema !== undefined, headers };
    const compiled = compileSelect(select, below(place, 'select'), scope, this.#problems);
    return {
      outcome: {
        kind: 'select',
        checks: response.checks ?? [],
        select: (value, context) => runSelect(compiled.plan, value, context),
        ...(links === undefined ? {} : { links }),
      },
      reads: compiled.reads,
      select: compiled,
    };
  }

  #failure(
    response: ResponseDefinition,
    failure: NonNullable<ResponseDefinition['failure']>,
    place: Place,
    rules: FailureRules | undefined,
  ): { outcome: FailureOutcome; reads: readonly ReadPath[] } {
    const at = below(place, 'failure');
    if (typeof failure === 'string') {
      this.#code(failure, at);
      return { outcome: { kind: 'failure', code: () => failure }, reads: [] };
    }
    if ('cases' in failure) return this.#failureByCases(failure, at, rules);
    return this.#failureByValue(response, failure, at);
  }

  /** What the cases say is compiled a floor above; what is wrong with them is reported there. */
  #failureByCases(
    failure: FailureCases,
    at: Place,
    rules: FailureRules | undefined,
  ): { outcome: FailureOutcome; reads: readonly ReadPath[] } {
    for (const [i, { code }] of failure.cases.entries())
      this.#code(code, below(at, 'cases', String(i), 'code'));
    const undecided = () => new Fault('CON_UNMAPPED_FAILURE', { schema: formatPointer(at.path) });
    return { outcome: { kind: 'failure', code: rules?.code ?? undecided }, reads: rules?.reads ?? [] };
  }

  #failureByValue(
    response: ResponseDefinition,
    failure: FailureByValue,
    at: Place,
  ): { outcome: FailureOutcome; reads: readonly ReadPath[] } {
    const path = parsePointer(failure.by);
    if (path === undefined) {
      this.#say(
        below(at, 'by'),
        'source',
        `"${failure.by}" is not a JSON Pointer`,
        'write for example /error',
      );
    }
    if (response.schema === undefined) {
      const message = 'the alternative has no schema, so there is no answer to read';
      this.#say(below(at, 'by'), 'no-body', message, 'add a schema, or give one code for all');
    }
    const codes = new Map<string, AgentCode>();
    for (const [text, code] of Object.entries(failure.map)) {
      this.#code(code, below(at, 'map', text));
      codes.set(text, code);
    }
    const pointer = formatPointer([...at.path, 'map']);
    const code = (value: unknown): AgentCode | Fault => {
      const found = follow(value, path ?? []);
      const isScalar =
        found !== ABSENT && typeof found !== 'symbol' && (typeof found !== 'object' || found === null);
      const known = isScalar ? codes.get(String(found)) : undefined;
      return known ?? new Fault('CON_UNMAPPED_FAILURE', { instance: failure.by, schema: pointer });
    };
    return { outcome: { kind: 'failure', code }, reads: path === undefined ? [] : [path] };
  }

  #code(code: AgentCode, place: Place): void {
    if ((DECLARABLE_CODES as readonly string[]).includes(code)) return;
    const message = `"${code}" is not a code that a contract can give`;
    this.#say(place, 'agent-code', message, `use one of ${DECLARABLE_CODES.join(', ')}`);
  }

  #say(place: Place, rule: string, message: string, remedy: string): void {
    this.#problems.push(problemAt(place, { rule, message, remedy }));
  }
}
