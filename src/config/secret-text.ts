import type { Place, TextLines } from './text-lines.js';
import type { YamlFile } from './yaml-file.js';

/** Header names whose value is a credential. */
const CREDENTIAL_NAME =
  /^(?:authorization|proxy-authorization|cookie|x-api-key|api-key|apikey|private-token|.+-(?:token|secret|key|password))$/i;

/** Beginnings that vendors give their tokens, with enough after them to be one. */
const TOKEN = new RegExp(
  [
    'gh[pousr]_[A-Za-z0-9]{3,}',
    'github_pat_[A-Za-z0-9_]{3,}',
    'glpat-[A-Za-z0-9_-]{3,}',
    '[sr]k_(?:live|test)_[A-Za-z0-9]{3,}',
    'sk-(?:ant-|proj-)?[A-Za-z0-9_-]{16,}',
    'xox[abeoprs]-[A-Za-z0-9-]{3,}',
    '(?:AKIA|ASIA)[A-Z0-9]{12,}',
    'AIza[A-Za-z0-9_-]{30,}',
    'npm_[A-Za-z0-9]{20,}',
    'hf_[A-Za-z0-9]{20,}',
    'eyJ[A-Za-z0-9_-]{8,999}\\.eyJ[A-Za-z0-9_-]{8,999}',
    '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----',
  ].join('|'),
);

/** An authentication scheme and something after it that is no placeholder (RFC 9110 section 11.4). */
const CREDENTIALS = /^\s*(?:bearer|basic|token|apikey|digest)\s+[^\s{]/i;

/** `//user:password@` of a URL. */
const USER_INFO = /\/\/[^/?#\s]{0,999}@/;

export function isCredentialName(header: string): boolean {
  return CREDENTIAL_NAME.test(header);
}

/** Whether a text looks like a secret itself. */
export function looksLikeSecret(text: string): boolean {
  return TOKEN.test(text) || CREDENTIALS.test(text);
}

/**
 * What of a file no frame may show: values that are, or may be, secrets written down by mistake. Found by their place
 * in the document, and where it could not be read by what the lines look like.
 */
export function hiddenPlaces(yaml: Pick<YamlFile, 'lines' | 'scalars' | 'value'>): Place[] {
  const found = tokenPlaces(yaml.lines);
  if (yaml.value === undefined) found.push(...namedPlaces(yaml.lines));
  yaml.scalars((path, value, place) => {
    if (isHidden(path, value)) found.push(place);
  });
  const merged: Place[] = [];
  for (const place of found.sort((a, b) => a.line - b.line || a.column - b.column)) {
    const last = merged.at(-1);
    if (last === undefined || last.line !== place.line || last.column + last.length <= place.column) {
      merged.push(place);
    } else {
      const end = Math.max(last.column + last.length, place.column + place.length);
      merged[merged.length - 1] = { ...last, length: end - last.column };
    }
  }
  return merged;
}

const REFERENCE_KEYS: ReadonlySet<string> = new Set(['secret', 'format', 'optional']);

function isHidden(path: readonly string[], value: unknown): boolean {
  const key = path.at(-1) ?? '';
  const text = String(value);
  if (TOKEN.test(text) || USER_INFO.test(text)) return true;
  if (path.some(isCredentialName) && !REFERENCE_KEYS.has(key)) return true;
  if (path.includes('headers') && CREDENTIALS.test(text)) return true;
  // Words of the configuration that mean something else in contracts and fixtures.
  if (path[0] !== 'upstreams' && path[0] !== 'server') return false;
  if (key === 'secret' || key === 'previous') return !/^[A-Z][A-Z0-9_]*$/.test(text);
  if (key === 'format') return !text.includes('{}') || CREDENTIALS.test(text);
  return key === 'bearer' || key === 'agent_auth';
}

/** What looks like a token, anywhere. */
function tokenPlaces(lines: TextLines): Place[] {
  const tokens = new RegExp(
    `(?:${TOKEN.source})[^\\s"',}\\]]*|bearer\\s+[^\\s{"']+|//[^/?#\\s"']{0,999}@`,
    'gi',
  );
  return [...lines.text.matchAll(tokens)].map((match) =>
    lines.place(match.index, match.index + match[0].length),
  );
}

/** What stands after a key whose value is, or names, a credential. */
function namedPlaces(lines: TextLines): Place[] {
  const places: Place[] = [];
  const named =
    /(?<=^|[\s{,"'])(authorization|cookie|bearer|secret|[a-z-]+-(?:token|secret|key))["']?:[ \t]+(?![{&*|>$#])([^\n]+)/gi;
  for (const match of lines.text.matchAll(named)) {
    const value = match[2] ?? '';
    if (match[1]?.toLowerCase() === 'secret' && /^["']?[A-Z][A-Z0-9_]*["']?\s*(?:[},#\r]|$)/.test(value))
      continue;
    const end = match.index + match[0].length;
    places.push(lines.place(end - value.length, end));
  }
  return places;
}
