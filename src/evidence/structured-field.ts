/**
 * Structured Field Values for HTTP (RFC 9651, which replaces RFC 8941): the Dictionary and what stands in it. Parsed as
 * section 4.2 says, and more strictly where it leaves a choice or repairs: a key that stands twice fails instead of
 * replacing the first one, and base64 has one spelling only.
 */
export type BareItem =
  | { readonly kind: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly kind: 'string' | 'token'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'boolean'; readonly value: boolean };

/** In order; no name stands twice. */
export type Parameters = ReadonlyMap<string, BareItem>;

export interface Item {
  readonly item: BareItem;
  readonly parameters: Parameters;
}

export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

export type Dictionary = ReadonlyMap<string, Item | InnerList>;

/** Members, items and parameters of one field; more is no field that anybody signs with. */
const MOST = 256;

class SyntaxFault extends Error {}

/** A Dictionary (RFC 9651 section 4.2.2); undefined where the text is none, or is one with a key twice. */
export function parseDictionary(text: string): Dictionary | undefined {
  try {
    return new Parser(text).dictionary();
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  dictionary(): Dictionary {
    const members = new Map<string, Item | InnerList>();
    this.#skip(/ */y);
    while (this.#at < this.#text.length) {
      const key = this.#key();
      if (members.has(key) || members.size >= MOST) throw new SyntaxFault();
      members.set(key, this.#member());
      this.#skip(/[ \t]*/y);
      if (this.#at === this.#text.length) return members;
      if (!this.#taken(',')) throw new SyntaxFault();
      this.#skip(/[ \t]*/y);
      // A trailing comma
      if (this.#at === this.#text.length) throw new SyntaxFault();
    }
    return members;
  }

  #member(): Item | InnerList {
    if (!this.#taken('=')) return { item: { kind: 'boolean', value: true }, parameters: this.#parameters() };
    return this.#next === '(' ? this.#innerList() : this.#item();
  }

  #innerList(): InnerList {
    this.#at += 1;
    const items: Item[] = [];
    for (;;) {
      this.#skip(/ */y);
      if (this.#taken(')')) return { items, parameters: this.#parameters() };
      if (items.length >= MOST) throw new SyntaxFault();
      items.push(this.#item());
      if (this.#next !== ' ' && this.#next !== ')') throw new SyntaxFault();
    }
  }

  #item(): Item {
    const item = this.#bareItem();
    return { item, parameters: this.#parameters() };
  }

  #parameters(): Parameters {
    const parameters = new Map<string, BareItem>();
    while (this.#taken(';')) {
      this.#skip(/ */y);
      const key = this.#key();
      if (parameters.has(key) || parameters.size >= MOST) throw new SyntaxFault();
      parameters.set(key, this.#taken('=') ? this.#bareItem() : { kind: 'boolean', value: true });
    }
    return parameters;
  }

  #key(): string {
    return this.#match(/[a-z*][a-z0-9_.*-]*/y);
  }

  #bareItem(): BareItem {
    switch (this.#next) {
      case '"':
        return { kind: 'string', value: this.#string() };
      case ':':
        return { kind: 'bytes', value: this.#bytes() };
      case '?':
        return { kind: 'boolean', value: this.#match(/\?[01]/y) === '?1' };
      case '@':
        this.#at += 1;
        return { kind: 'date', value: this.#integer() };
      default:
        return /[0-9-]/.test(this.#next) ? this.#number() : { kind: 'token', value: this.#token() };
    }
  }

  #string(): string {
    // RFC 9651 section 4.2.5: visible ASCII and space, and only \" and \\ are escapes
    const quoted = this.#match(/"(?:[ !#-[\]-~]|\\["\\])*"/y);
    return quoted.slice(1, -1).replace(/\\(.)/g, '$1');
  }

  #bytes(): Uint8Array {
    const coded = this.#match(/:[A-Za-z0-9+/]*={0,2}:/y).slice(1, -1);
    const bytes = Buffer.from(coded, 'base64');
    if (bytes.toString('base64') !== coded) throw new SyntaxFault();
    return bytes;
  }

  #token(): string {
    return this.#match(/[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y);
  }

  #integer(): number {
    return Number(this.#match(/-?[0-9]{1,15}(?![0-9.])/y));
  }

  #number(): BareItem {
    const text = this.#match(/-?[0-9]+(?:\.[0-9]+)?/y);
    if (/^-?[0-9]{1,15}$/.test(text)) return { kind: 'integer', value: Number(text) };
    if (/^-?[0-9]{1,12}\.[0-9]{1,3}$/.test(text)) return { kind: 'decimal', value: Number(text) };
    throw new SyntaxFault();
  }

  get #next(): string {
    return this.#text.charAt(this.#at);
  }

  #taken(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }

  #skip(pattern: RegExp): void {
    this.#match(pattern);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new SyntaxFault();
    this.#at = pattern.lastIndex;
    return match[0];
  }
}

/** An Inner List as RFC 9651 section 4.1.1.1 writes it: one text for each value, which RFC 9421 section 2.3 signs. */
export function serializeInnerList({ items, parameters }: InnerList): string {
  return `(${items.map(serializeItem).join(' ')})${serializeParameters(parameters)}`;
}

/** An Item with its parameters (RFC 9651 section 4.1.3). */
export function serializeItem({ item, parameters }: Item): string {
  return serializeBareItem(item) + serializeParameters(parameters);
}

function serializeParameters(parameters: Parameters): string {
  let text = '';
  for (const [name, item] of parameters) {
    const isTrue = item.kind === 'boolean' && item.value;
    text += isTrue ? `;${name}` : `;${name}=${serializeBareItem(item)}`;
  }
  return text;
}

function serializeBareItem(item: BareItem): string {
  switch (item.kind) {
    case 'integer':
    case 'token':
      return String(item.value);
    case 'decimal':
      // RFC 9651 section 4.1.5: at least one digit behind the point, and no zero at the end but that one
      return Number.isInteger(item.value) ? item.value.toFixed(1) : String(item.value);
    case 'date':
      return `@${item.value}`;
    case 'string':
      return `"${item.value.replace(/["\\]/g, '\\$&')}"`;
    case 'bytes':
      return `:${Buffer.from(item.value).toString('base64')}:`;
    case 'boolean':
      return item.value ? '?1' : '?0';
  }
}
