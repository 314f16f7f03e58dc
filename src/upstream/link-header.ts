import { trimOws } from './response-headers.js';

/** One link of a Link header. */
export interface Link {
  /** URI reference as sent, absolute or relative. */
  readonly target: string;
  /** Relation types in lower case. */
  readonly rels: readonly string[];
  /** It is about another resource than the one that was asked for (`anchor`, RFC 8288 section 3.2). */
  readonly isElsewhere: boolean;
}

/** Most links of one answer; with more the header is taken for malformed. */
const MOST_LINKS = 64;

// RFC 3986 appendix A: the characters of a URI reference, percent-escapes whole.
const REFERENCE = /<((?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)>/y;
// RFC 9110 section 5.6.2
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
// RFC 9110 section 5.6.4, in ASCII
const QUOTED = /"(?:[\t \x21\x23-\x5b\x5d-\x7e]|\\[\t \x21-\x7e])*"/y;
const BLANKS = /[\t ]*/y;
// RFC 8288 section 3.3: a registered relation type (its names are case-insensitive), or a URI.
const RELATION = /^(?:[a-z][a-z0-9.-]*|[a-z][a-z0-9+.-]*:[\x21-\x7e]+)$/i;

/**
 * Reads the lines of a Link header strictly by RFC 8288 section 3. Undefined where anything does not fit, a link has no
 * relation type, or a parameter that may stand once stands twice: other readers could see other links.
 *
 * @param lines values of the header, one for each time it stands
 */
export function parseLinks(lines: readonly string[]): readonly Link[] | undefined {
  const links: Link[] = [];
  for (const line of lines) {
    const reader = new LinkReader(line);
    while (!reader.atEnd()) {
      const link = reader.link();
      if (link === undefined || links.length === MOST_LINKS) return undefined;
      links.push(link);
    }
  }
  return links;
}

class LinkReader {
  readonly #text: string;
  #at = 0;

  constructor(line: string) {
    this.#text = trimOws(line);
  }

  atEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** One link with the comma after it. */
  link(): Link | undefined {
    const target = this.#take(REFERENCE)?.slice(1, -1);
    if (target === undefined) return undefined;
    const parameters = new Map<string, string>();
    for (;;) {
      this.#take(BLANKS);
      if (this.atEnd()) break;
      if (this.#character(',')) {
        this.#take(BLANKS);
        // A comma promises another link.
        if (this.atEnd()) return undefined;
        break;
      }
      if (!this.#character(';')) return undefined;
      this.#take(BLANKS);
      const name = this.#take(TOKEN)?.toLowerCase();
      if (name === undefined) return undefined;
      const value = this.#value();
      if (value === undefined || parameters.has(name)) return undefined;
      parameters.set(name, value);
    }
    const rels = (parameters.get('rel') ?? '').split(/[\t ]+/).filter((rel) => rel !== '');
    if (rels.length === 0 || !rels.every((rel) => RELATION.test(rel))) return undefined;
    return { target, rels: rels.map((rel) => rel.toLowerCase()), isElsewhere: parameters.has('anchor') };
  }

  /** What follows a parameter's name; empty where nothing does. */
  #value(): string | undefined {
    this.#take(BLANKS);
    if (!this.#character('=')) return '';
    this.#take(BLANKS);
    const raw = this.#take(TOKEN) ?? this.#take(QUOTED);
    return raw?.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #character(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}
