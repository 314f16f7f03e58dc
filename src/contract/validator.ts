import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Fault, type Problem, type RelatedFinding } from '../fault/index.js';
import { formatPointer, MAX_SEGMENT_UNITS, MAX_SEGMENTS, parsePointer } from '../json/index.js';
import { type Bundle, isNothing } from './bundle.js';
import { sha256 } from './compiled-schemas.js';
import { FORMATS } from './formats.js';
import { isNode } from './keywords.js';
import { compilePattern } from './pattern.js';
import { describePlace, inContract, problemAt } from './place.js';
import { repeatedWork } from './repeated-work.js';
import { judgeUniqueItems } from './unique-items.js';

/** Most findings about one value. */
const MAX_FINDINGS = 8;
/** Values beyond this many nodes are explained by their first finding only. */
const MAX_EXPLAINED_NODES = 10_000;

/** A compiled schema. It never changes the value and never throws. */
export interface Validator {
  /** The verdict; a throw inside is undecided and gives CON_THREW. */
  accepts(value: unknown): boolean | Fault;
  /** The first finding about a value that does not pass; undefined when it passes. Undecided is a finding. */
  first(value: unknown): RelatedFinding | undefined;
  /** All findings, at most eight, the first one first; for the operator, and only about a refused value. */
  explain(value: unknown): readonly RelatedFinding[];
}

/**
 * Compiles the schemas of the contracts that are loaded together, a schema that several of them write alike only once.
 * Every load has its own Validators and so its own Ajv, which is dropped as a whole: compiling anew in a shared one would
 * leak, even with removeSchema.
 */
export class Validators {
  readonly #ajv = newAjv(false);
  #thorough: Ajv2020 | undefined;
  readonly #compiled = new Map<string, Validator | readonly Problem[]>();

  /** The validator, or why there is none. */
  compile(bundle: Bundle): Validator | readonly Problem[] {
    // Digests, since they are kept as long as the validators.
    const identity = sha256(bundle.identity);
    const known = this.#compiled.get(identity);
    if (known !== undefined) return known;
    const compiled = this.#compile(bundle);
    this.#compiled.set(identity, compiled);
    return compiled;
  }

  #compile(bundle: Bundle): Validator | readonly Problem[] {
    const endless = repeatedWork(bundle);
    if (endless.length > 0) return endless;
    let validate: ValidateFunction;
    try {
      validate = this.#ajv.compile(bundle.root);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it cannot be compiled';
      return [
        problemAt(bundle.placeOf(bundle.root) ?? inContract(), {
          rule: 'does-not-compile',
          message: `the schema does not compile: ${reason}`,
          remedy: 'correct the schema',
        }),
      ];
    }
    let explaining: ValidateFunction | undefined;
    const thorough = () => {
      this.#thorough ??= newAjv(true);
      explaining ??= this.#thorough.compile(bundle.root);
      return explaining;
    };
    return new AjvValidator(bundle, validate, thorough);
  }
}

function newAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: true,
    strictRequired: false,
    // These two checks are made with a position by our own rules (sound-types.ts), or are a matter of taste.
    strictTypes: false,
    strictTuples: false,
    allowMatchingProperties: true,
    // Without it what is inherited counts as sent: `required: [toString]` would accept `{}`.
    ownProperties: true,
    validateFormats: true,
    // The value is judged as it came: nothing is converted, filled in or removed.
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    $data: false,
    discriminator: false,
    // Schemas were checked against the meta-schema when they were opened.
    meta: false,
    validateSchema: false,
    messages: false,
    // Findings carry the schema object that made them, which says where the author wrote it.
    verbose: true,
    logger: false,
    // Ajv's own optimizer takes a third of the time of compiling, and what V8 makes of the code is no faster for it.
    code: { optimize: false, regExp: Object.assign(linearRegExp, { code: 'linearRegExp' }) },
    formats: Object.fromEntries(FORMATS),
  });
  // No schema of a bundle asks what others have evaluated, and the code that keeps track of it can name a variable that
  // is not there: then the schema throws on every value that comes by.
  ajv.opts.unevaluated = false;
  judgeUniqueItems(ajv);
  return ajv;
}

function linearRegExp(text: string): { test(value: string): boolean; toString(): string } {
  const pattern = compilePattern(text);
  if (typeof pattern === 'string') throw new Error(`the pattern ${pattern}`);
  return pattern;
}

class AjvValidator implements Validator {
  readonly #bundle: Bundle;
  readonly #validate: ValidateFunction;
  readonly #thorough: () => ValidateFunction;

  constructor(bundle: Bundle, validate: ValidateFunction, thorough: () => ValidateFunction) {
    this.#bundle = bundle;
    this.#validate = validate;
    this.#thorough = thorough;
  }

  accepts(value: unknown): boolean | Fault {
    try {
      // Only `true` is a yes: a promise, for one, is truthy.
      return (this.#validate(value) as unknown) === true;
    } catch {
      return new Fault('CON_THREW', { schema: this.#root() });
    }
  }

  first(value: unknown): RelatedFinding | undefined {
    const verdict = this.accepts(value);
    if (verdict === true) return undefined;
    if (verdict !== false) return { instance: '', schema: this.#root(), rule: 'undecided' };
    // The last one is the outermost: what a failed branch says comes before its anyOf.
    const error = this.#validate.errors?.filter(isTelling).at(-1);
    return error == null ? { instance: '', schema: this.#root(), rule: 'undecided' } : this.#finding(error);
  }

  explain(value: unknown): readonly RelatedFinding[] {
    const first = this.first(value);
    if (first === undefined) return [];
    if (first.rule === 'undecided' || !fewerNodes(value, MAX_EXPLAINED_NODES)) return [first];
    try {
      const validate = this.#thorough();
      validate(value);
      const findings = (validate.errors ?? []).filter(isTelling).map((error) => this.#finding(error));
      const others = findings.filter((f) => f.instance !== first.instance || f.schema !== first.schema);
      return [first, ...others].slice(0, MAX_FINDINGS);
    } catch {
      return [first];
    }
  }

  #finding(error: ErrorObject): RelatedFinding {
    const params: Record<string, unknown> = error.params;
    const member = params.missingProperty ?? params.additionalProperty ?? params.propertyName;
    const name = error.propertyName ?? member;
    return {
      instance: boundedPointer(error.instancePath + (typeof name === 'string' ? formatPointer([name]) : '')),
      schema: this.#schemaOf(error),
      rule: isNode(error.parentSchema) && isNothing(error.parentSchema) ? 'false' : error.keyword,
    };
  }

  #schemaOf(error: ErrorObject): string {
    const node: unknown = error.parentSchema;
    const place =
      typeof node === 'object' && node !== null ? this.#bundle.placeOf(node, error.keyword) : undefined;
    return place === undefined ? this.#root() : describePlace(place);
  }

  #root(): string {
    const place = this.#bundle.placeOf(this.#bundle.root);
    return place === undefined ? '' : describePlace(place);
  }
}

/** Names in the pointer are upstream's text: each is cut, and so is their number, as in the scanner's faults. */
function boundedPointer(pointer: string): string {
  const segments = (parsePointer(pointer) ?? []).map((segment) =>
    segment.length <= MAX_SEGMENT_UNITS
      ? segment
      : `${segment.slice(0, MAX_SEGMENT_UNITS).replace(/[\ud800-\udbff]$/, '')}\u2026`,
  );
  const rest = segments.length > MAX_SEGMENTS ? ['\u2026'] : [];
  return formatPointer([...segments.slice(0, MAX_SEGMENTS), ...rest]);
}

/** `if` only repeats what `then` or `else` has found. */
function isTelling(error: ErrorObject): boolean {
  return error.keyword !== 'if';
}

/** Whether a value has fewer nodes than the limit; stops counting there. */
function fewerNodes(value: unknown, limit: number): boolean {
  const open = [value];
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > limit) return false;
    const next = open.pop();
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next));
  }
  return true;
}
