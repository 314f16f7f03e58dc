import { DOUBLE_QUOTED, NOT_PLAIN, PLAIN_TEXT, plainScalar, SINGLE_QUOTED, unescaped } from './plain-text.js';

/** A key and the spaces behind its colon: a word, or text in quotes without escapes. */
const KEY = /^(?:([A-Za-z_$][A-Za-z0-9_.$/-]{0,199})|"([^"\\]{0,200})"):(?: +|$)/;
const FLOW_KEY = /(?:([A-Za-z_$][A-Za-z0-9_.$/-]{0,199})|"([^"\\]{0,200})"): +/y;

/** How an unquoted text can start that is no indicator (YAML 1.2.2 section 5.3), and what it is inside brackets. */
const UNQUOTED = /[A-Za-z0-9_/.$(-].*/y;
const FLOW_UNQUOTED = /[A-Za-z0-9_/.$(-][^,[\]{}]*/y;
const SPACES = / */y;
const BLOCK_SCALAR = /^([|>])(-?) *$/;

const MAX_DEPTH = 50;

/**
 * Reads YAML that is written the way most files are: block maps and lists, text in quotes or without that ends on its
 * line, brackets, block scalars without fine points. It is several times as fast as the whole parser, which a start
 * with thousands of fixtures would mostly be waiting for.
 *
 * **It decides nothing that the whole parser would decide otherwise**: where it gives a value, the whole parser gives the
 * same one and finds no problem. Whatever is not surely so - a tab, a tag, an anchor, a repeated key, a number that JSON
 * does not know, a wrong indentation - is NOT_PLAIN.
 */
export function plainYaml(text: string): unknown {
  return PLAIN_TEXT.test(text) ? new PlainReader(text).document() : NOT_PLAIN;
}

class PlainReader {
  readonly #lines: readonly string[];
  /** The line that is looked at; its spaces and what stands behind them. Behind the last line: -1 and nothing. */
  #at = -1;
  #indent = -1;
  #text = '';
  /** Inside the line: where the next character is read. */
  #column = 0;
  /** Where the key or dash stands whose value is being read. */
  #around = -1;
  #depth = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  document(): unknown {
    // YAML 1.2.2 section 6.8 and 9.1.2: directives and the marks of documents stand at the start of a line.
    if (this.#lines.some((line) => /^(?:%|---|\.\.\.)/.test(line))) return NOT_PLAIN;
    this.#nextLine();
    if (this.#indent !== 0) return NOT_PLAIN;
    const value = this.#node();
    // Each map and list takes the lines that stand exactly where its first one does: one between two of them, or further
    // in than all, is taken by none, and so are those behind it.
    return this.#at < this.#lines.length ? NOT_PLAIN : value;
  }

  /** Goes on to the next line that holds more than a comment. */
  #nextLine(): void {
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] ?? '';
      const indent = spacesBefore(line);
      if (indent === line.length || line[indent] === '#') continue;
      this.#indent = indent;
      this.#text = line.slice(indent);
      return;
    }
    this.#indent = -1;
    this.#text = '';
  }

  /** The map or list that starts at this line. */
  #node(): unknown {
    if (++this.#depth > MAX_DEPTH) return NOT_PLAIN;
    const value = isItem(this.#text) ? this.#list(this.#indent) : this.#map(this.#indent);
    this.#depth--;
    return value;
  }

  #map(indent: number): unknown {
    const map: Record<string, unknown> = {};
    while (this.#indent === indent) {
      const match = KEY.exec(this.#text);
      const name = match?.[1] ?? match?.[2];
      if (match === null || !isFresh(map, name)) return NOT_PLAIN;
      const value = this.#value(this.#text.slice(match[0].length), indent, true);
      if (value === NOT_PLAIN) return NOT_PLAIN;
      map[name] = value;
    }
    return map;
  }

  #list(indent: number): unknown {
    const list: unknown[] = [];
    while (this.#indent === indent && isItem(this.#text)) {
      const rest = this.#text.slice(1).trimStart();
      let item: unknown;
      if (isItem(rest) || KEY.test(rest)) {
        // A map or list that starts behind the dash, as if the line began there.
        this.#indent += this.#text.length - rest.length;
        this.#text = rest;
        item = this.#node();
      } else item = this.#value(rest, indent, false);
      if (item === NOT_PLAIN) return NOT_PLAIN;
      list.push(item);
    }
    return list;
  }

  /** The value that starts with the rest of a line, behind a key or a dash that stands at `indent`. */
  #value(rest: string, indent: number, inMap: boolean): unknown {
    if (rest === '' || rest.startsWith('#')) {
      this.#nextLine();
      if (this.#indent > indent)
        return /^[{[]/.test(this.#text) ? this.#line(this.#text, indent) : this.#node();
      // YAML 1.2.2 section 8.2.2: a list in a map may stand as far left as its key.
      return inMap && this.#indent === indent && isItem(this.#text) ? this.#list(indent) : null;
    }
    const block = BLOCK_SCALAR.exec(rest);
    if (block !== null) return this.#blockScalar(block[1] === '>', block[2] === '-', indent);
    return this.#line(rest, indent);
  }

  /** A value that ends with its line, or with a later one where that has its closing bracket. */
  #line(text: string, indent: number): unknown {
    this.#text = text;
    this.#column = 0;
    this.#around = indent;
    const value = this.#inline(false);
    if (value === NOT_PLAIN || !/^(?: *| +#.*)$/.test(this.#text.slice(this.#column))) return NOT_PLAIN;
    this.#nextLine();
    return value;
  }

  /** YAML 1.2.2 section 8.1, without indentation indicator and `+`, without empty lines, and folded only line by line. */
  #blockScalar(folded: boolean, stripped: boolean, around: number): unknown {
    const content: string[] = [];
    const indent = spacesBefore(this.#lines[this.#at + 1] ?? '');
    if (indent <= around) return NOT_PLAIN;
    for (this.#at++; this.#at < this.#lines.length - 1; this.#at++) {
      const line = this.#lines[this.#at] ?? '';
      const spaces = spacesBefore(line);
      if (spaces <= around && spaces < line.length) break;
      if (spaces < indent || spaces === line.length) return NOT_PLAIN;
      if (folded && (spaces > indent || line.endsWith(' '))) return NOT_PLAIN;
      content.push(line.slice(indent));
    }
    // The text has to end with a line feed, behind which nothing stands.
    if (content.length === 0 || (this.#at === this.#lines.length - 1 && this.#lines[this.#at] !== ''))
      return NOT_PLAIN;
    this.#at--;
    this.#nextLine();
    return content.join(folded ? ' ' : '\n') + (stripped ? '' : '\n');
  }

  /** A value within a line, from the column on. */
  #inline(isFlow: boolean): unknown {
    switch (this.#text[this.#column]) {
      case '{':
        return this.#flowMap();
      case '[':
        return this.#flowList();
      case '"': {
        const quoted = this.#take(DOUBLE_QUOTED)?.[1];
        if (quoted === undefined) return NOT_PLAIN;
        return unescaped(quoted);
      }
      case "'":
        return this.#take(SINGLE_QUOTED)?.[1]?.replaceAll("''", "'") ?? NOT_PLAIN;
      default:
        return this.#unquoted(isFlow);
    }
  }

  #unquoted(isFlow: boolean): unknown {
    const start = this.#column;
    let text = this.#take(isFlow ? FLOW_UNQUOTED : UNQUOTED)?.[0];
    if (text === undefined) return NOT_PLAIN;
    const comment = text.indexOf(' #');
    if (comment >= 0) {
      if (isFlow) return NOT_PLAIN;
      text = text.slice(0, comment);
      this.#column = start + comment;
    }
    text = text.trimEnd();
    // What looks like a key is one, or a mistake.
    if (text.endsWith(':') || text.includes(': ')) return NOT_PLAIN;
    return plainScalar(text);
  }

  #flowMap(): unknown {
    const map: Record<string, unknown> = {};
    return this.#flow('}', () => {
      const match = this.#take(FLOW_KEY);
      const name = match?.[1] ?? match?.[2];
      if (match === undefined || !isFresh(map, name)) return false;
      const value = this.#inline(true);
      map[name] = value;
      return value !== NOT_PLAIN;
    })
      ? map
      : NOT_PLAIN;
  }

  #flowList(): unknown {
    const list: unknown[] = [];
    return this.#flow(']', () => {
      const item = this.#inline(true);
      list.push(item);
      return item !== NOT_PLAIN;
    })
      ? list
      : NOT_PLAIN;
  }

  /** Parts with commas between, up to the closing bracket; false where it is not plain. */
  #flow(close: string, part: () => boolean): boolean {
    if (++this.#depth > MAX_DEPTH) return false;
    this.#column++;
    this.#flowSpace();
    while (this.#text[this.#column] !== close) {
      if (!part()) return false;
      this.#flowSpace();
      if (this.#text[this.#column] !== ',') break;
      this.#column++;
      this.#flowSpace();
    }
    this.#depth--;
    return this.#text[this.#column++] === close;
  }

  /** Between brackets the end of a line is a space, where the next one stands further in than what is around. */
  #flowSpace(): void {
    this.#take(SPACES);
    if (this.#column < this.#text.length) return;
    const line = this.#lines[this.#at + 1] ?? '';
    const indent = spacesBefore(line);
    if (indent <= this.#around || indent === line.length || line[indent] === '#') return;
    this.#at++;
    this.#text = line.slice(indent);
    this.#column = 0;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#column;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#column = pattern.lastIndex;
    return match;
  }
}

/** Whether a map can have the key: no other one of the same name, and none that means more than it says. */
function isFresh(map: object, name: string | undefined): name is string {
  return (
    name !== undefined &&
    name !== '__proto__' &&
    name !== '<<' &&
    plainScalar(name) !== null &&
    !Object.hasOwn(map, name)
  );
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function spacesBefore(line: string): number {
  let count = 0;
  while (line[count] === ' ') count++;
  return count;
}
