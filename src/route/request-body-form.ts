import {
  type FormArrays,
  type FormObject,
  type FormRule,
  type FormShape,
  isPrototypeName,
} from '../contract/index.js';
import { Fault, type OperatorCode } from '../fault/index.js';
import { formatPointer, type ScanLimits } from '../json/index.js';
import { bare, typedValue } from './request-value.js';

export interface Form {
  readonly value: unknown;
  /** The body that leaves: every pair in its place, names and values encoded anew. */
  readonly text: string;
}

/** One step of a name: `a` and `[b]` are members; `[0]`, `[]` and nothing at all (`a=1&a=2`) are items of a list. */
type Step = { readonly name: string } | { readonly item: number; readonly style: FormArrays };

/**
 * An urlencoded body (WHATWG URL Standard section 5.1), read strictly: pairs of name and value, everything but visible
 * ASCII escaped. What a value is to be read as, the schema says; a list may stand in one of three ways, and keeps to it.
 * The same limits hold as for a JSON document.
 */
export function readForm(bytes: Uint8Array, { shape, arrays }: FormRule, limits: ScanLimits): Form | Fault {
  const bad = bytes.findIndex((byte) => byte <= 0x20 || byte >= 0x7f);
  if (bad >= 0) return syntax('a byte that has to be escaped', bad);
  const reader = new FormReader(shape, limits);
  const pairs: string[] = [];
  let offset = 0;
  for (const pair of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0) return syntax(pair === '' ? 'an empty pair' : 'a name without =', offset);
    const name = decodeFormText(pair.slice(0, equals));
    const text = decodeFormText(pair.slice(equals + 1));
    if (name === undefined || text === undefined) return syntax('badly escaped', offset);
    const path = segmentsOf(name);
    if (path === undefined) return syntax('a name whose brackets do not fit', offset);
    const steps = reader.put(path, text, offset);
    if (steps instanceof Fault) return steps;
    pairs.push(`${nameOf(steps, arrays)}=${encodeURIComponent(text)}`);
    offset += pair.length + 1;
  }
  return { value: reader.value, text: pairs.join('&') };
}

/** A text of a query or a form; undefined where it is badly escaped or no UTF-8. */
export function decodeFormText(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** `a[b][0]` as `a`, `b`, `0`. */
function segmentsOf(name: string): string[] | undefined {
  const [, head, rest] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (head === undefined || rest === undefined) return undefined;
  return rest === '' ? [head] : [head, ...rest.slice(1, -1).split('][')];
}

function nameOf(steps: readonly Step[], arrays: FormArrays | undefined): string {
  let name = '';
  for (const step of steps) {
    if ('name' in step) name += name === '' ? step.name : `[${step.name}]`;
    else {
      const style = arrays ?? step.style;
      if (style !== 'repeat') name += style === 'indices' ? `[${step.item}]` : '[]';
    }
  }
  return encodeURIComponent(name);
}

/** Builds the value pair by pair. */
class FormReader {
  readonly value = bare<unknown>();
  readonly #shape: FormObject;
  readonly #limits: ScanLimits;
  /** How each list stands in the body, by its first item. */
  readonly #styles = new Map<unknown[], FormArrays>();
  readonly #sizes = new Map<object, number>();
  #tokens = 1;
  #steps: Step[] = [];
  #offset = 0;

  constructor(shape: FormObject, limits: ScanLimits) {
    this.#shape = shape;
    this.#limits = limits;
  }

  /** Puts one text where its name says; the steps are for the name that leaves. */
  put(path: readonly string[], text: string, offset: number): readonly Step[] | Fault {
    this.#steps = [];
    this.#offset = offset;
    if (path.length > this.#limits.depth) return this.#limit('PRS_DEPTH');
    let shape: FormShape = this.#shape;
    let here: unknown = this.value;
    for (const [i, segment] of path.entries()) {
      const isLast = i === path.length - 1;
      const next: Place | Fault = Array.isArray(here)
        ? this.#item(here, shape, segment, isLast)
        : this.#member(here as Record<string, unknown>, shape, segment);
      if (next instanceof Fault) return next;
      if (isLast) return this.#end(next, text);
      const inner = next.get();
      if (next.shape.kind === 'text') return this.#invalid('not an object or a list');
      here = inner ?? next.set(next.shape.kind === 'list' ? [] : bare());
      shape = next.shape;
    }
    return this.#steps;
  }

  /** The name ends here: at a text, or at a list whose name is repeated. */
  #end(place: Place, text: string): readonly Step[] | Fault {
    let { shape } = place;
    let end = place;
    if (shape.kind === 'list') {
      const list = (place.get() ?? place.set([])) as unknown[];
      const next = this.#append(list, shape, 'repeat');
      if (next instanceof Fault) return next;
      end = next;
      shape = next.shape;
    }
    if (shape.kind !== 'text') return this.#invalid(`not ${shape.kind === 'list' ? 'a list' : 'an object'}`);
    if (end.get() !== undefined) return this.#invalid('repeated');
    const size = Buffer.byteLength(text);
    if (shape.type === 'string' && size > this.#limits.stringBytes) return this.#limit('PRS_STRING_LENGTH');
    if (shape.type !== 'string' && size > this.#limits.numberBytes) return this.#limit('PRS_NUMBER_LENGTH');
    const value = typedValue(text, shape.type);
    if (value === undefined) return this.#invalid(`not of type ${shape.type}`);
    end.set(value);
    return this.#steps;
  }

  #member(object: Record<string, unknown>, shape: FormShape, name: string): Place | Fault {
    if (Buffer.byteLength(name) > this.#limits.nameBytes) return this.#limit('PRS_NAME_LENGTH');
    this.#steps.push({ name });
    const known = shape.kind === 'object' ? (shape.members.get(name) ?? shape.others) : undefined;
    if (known === undefined || name === '' || isPrototypeName(name)) return this.#invalid('not declared');
    if (object[name] === undefined) {
      const fault = this.#grow(object, this.#limits.members, 'PRS_MEMBERS', 2);
      if (fault !== undefined) return fault;
    }
    return {
      shape: known,
      get: () => object[name],
      set: (value) => {
        object[name] = value;
        return value;
      },
    };
  }

  #item(list: unknown[], shape: FormShape, segment: string, isLast: boolean): Place | Fault {
    if (segment === '') {
      // Readers disagree about whether a[][b]=1&a[][c]=2 is one item or two.
      if (!isLast) return this.#invalid('[] that is not the end of a name');
      return this.#append(list, shape, 'brackets');
    }
    if (!/^(?:0|[1-9][0-9]{0,8})$/.test(segment)) return this.#invalid('neither an index nor []');
    const index = Number(segment);
    if (index === list.length) return this.#append(list, shape, 'indices');
    if (index !== list.length - 1) return this.#invalid('indices have to count up from 0');
    return this.#at(list, shape, index, 'indices');
  }

  #append(list: unknown[], shape: FormShape, style: FormArrays): Place | Fault {
    const fault = this.#grow(list, this.#limits.items, 'PRS_ITEMS', 1);
    return fault ?? this.#at(list, shape, list.length, style);
  }

  #at(list: unknown[], shape: FormShape, index: number, style: FormArrays): Place | Fault {
    this.#steps.push({ item: index, style });
    const item = shape.kind === 'list' ? shape.item : undefined;
    if (item === undefined) return this.#invalid('not declared');
    const before = this.#styles.get(list);
    if (before === undefined) this.#styles.set(list, style);
    else if (before !== style) return this.#invalid('a list that stands in two ways');
    return {
      shape: item,
      get: () => list[index],
      set: (value) => {
        list[index] = value;
        return value;
      },
    };
  }

  #grow(whole: object, most: number, code: OperatorCode, tokens: number): Fault | undefined {
    const size = (this.#sizes.get(whole) ?? 0) + 1;
    this.#sizes.set(whole, size);
    this.#tokens += tokens;
    if (size > most) return this.#limit(code);
    return this.#tokens > this.#limits.tokens ? this.#limit('PRS_TOKENS') : undefined;
  }

  /** As for a JSON body: the note names the rule that a document of that shape breaks. */
  #limit(note: OperatorCode): Fault {
    return syntax(note, this.#offset);
  }

  #invalid(note: string): Fault {
    const path = this.#steps.map((step) => ('name' in step ? step.name.slice(0, 64) : String(step.item)));
    return new Fault('REQ_BODY_INVALID', { instance: formatPointer(path), offset: this.#offset, note });
  }
}

/** Where a value goes. */
interface Place {
  readonly shape: FormShape;
  get(): unknown;
  set(value: unknown): unknown;
}

function syntax(note: string, offset: number): Fault {
  return new Fault('REQ_BODY_SYNTAX', { note, offset });
}
