/** One media type as it stands in Content-Type. */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly type: string;
  /** The charset parameter in lower case, unquoted; undefined where there is none. */
  readonly charset: string | undefined;
}

// RFC 9110 section 5.6.2
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
// RFC 9110 section 5.6.4; header values come as latin1 text, so obs-text is U+0080 to U+00FF
const QUOTED = /"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"/y;
const WHITESPACE = /[\t ]*/y;

/**
 * Reads a Content-Type value (RFC 9110 sections 8.3.1 and 5.6.6): strictly by the grammar, parameters included, so
 * that what another reader could take for something else is undefined. A parameter name that stands twice is
 * refused as well: two readers would choose differently. Empty parameters (`application/json;`) are in the grammar.
 */
export function parseMediaType(value: string): MediaType | undefined {
  const known = KNOWN.get(value);
  if (known !== undefined) return known;
  const read = readMediaType(value);
  // An upstream nearly always says the same; one that does not cannot make more than this be kept.
  if (read !== undefined && value.length <= KNOWN_LENGTH) {
    if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
    KNOWN.set(value, read);
  }
  return read;
}

const MOST_KNOWN = 64;
const KNOWN_LENGTH = 128;
const KNOWN = new Map<string, MediaType>();

function readMediaType(value: string): MediaType | undefined {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(value)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const takeCharacter = (character: string): boolean => {
    if (value[at] !== character) return false;
    at += 1;
    return true;
  };

  take(WHITESPACE);
  const type = take(TOKEN);
  if (type === undefined || !takeCharacter('/')) return undefined;
  const subtype = take(TOKEN);
  if (subtype === undefined) return undefined;

  const parameters = new Map<string, string>();
  for (;;) {
    take(WHITESPACE);
    if (at === value.length) break;
    if (!takeCharacter(';')) return undefined;
    take(WHITESPACE);
    const name = take(TOKEN)?.toLowerCase();
    if (name === undefined) continue;
    if (!takeCharacter('=')) return undefined;
    const raw = take(TOKEN) ?? take(QUOTED);
    if (raw === undefined || parameters.has(name)) return undefined;
    parameters.set(name, raw.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw);
  }

  return { type: `${type}/${subtype}`.toLowerCase(), charset: parameters.get('charset')?.toLowerCase() };
}

/**
 * Whether a media type is the declared one. `json` stands for `application/json` and every `application/*+json`
 * (RFC 6839 section 3.1) but `application/problem+json`: a problem document (RFC 9457) is never data. Any other
 * declaration is compared as it is.
 */
export function matchesMediaType(declared: 'json' | string, type: string): boolean {
  if (declared !== 'json') return declared.toLowerCase() === type;
  if (type === 'application/json') return true;
  return /^application\/[^/]+\+json$/.test(type) && type !== 'application/problem+json';
}

/** JSON is UTF-8 (RFC 8259 section 8.1): the charset parameter is absent or says so. */
export function isUtf8(charset: string | undefined): boolean {
  return charset === undefined || charset === 'utf-8';
}
