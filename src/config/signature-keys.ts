import { createSecretKey } from 'node:crypto';
import { resolve } from 'node:path';
import { formatDuration, parseDuration, parseSize } from '../contract/index.js';
import type { AnswerVerifier, KeyRing, VerificationKey } from '../evidence/index.js';
import type { Assembled } from '../route/index.js';
import {
  DEFAULT_KEY_SET_OPTIONS,
  FixedKeys,
  RemoteKeys,
  readKeySet,
  readPublicKey,
} from '../upstream/index.js';
import { readBaseUrl } from './base-url.js';
import type { KeyDefinition, Sound, UpstreamDefinition } from './definition.js';
import { readBytes } from './read-file.js';
import type { Report } from './report.js';
import { resolveSecret, type SecretSources } from './resolve-secret.js';
import { Secret } from './secret.js';
import { looksLikeSecret } from './secret-text.js';

const MAX_FILE_BYTES = 65_536;
const MOST_SET_BYTES = 1_048_576;
const HOUR = 3_600_000;

/** The keys of an upstream by name. Files are read now, once; a key set behind a URL when a signature first needs it. */
export async function readKeys(
  written: Sound<UpstreamDefinition['keys']>,
  sources: SecretSources,
  report: Report,
): Promise<KeyRing> {
  const keys = new Map<string, VerificationKey>();
  for (const [name, definition] of Object.entries(written ?? {})) {
    if (definition === undefined) continue;
    const key = await readKey(definition, sources, report.at(name));
    if (key !== undefined) keys.set(name, key);
  }
  return keys;
}

async function readKey(
  written: Sound<KeyDefinition>,
  sources: SecretSources,
  report: Report,
): Promise<VerificationKey | undefined> {
  if (written.secret !== undefined) return readSecrets(written, sources, report);
  if (written.file !== undefined) return readFileKeys(written.file, written.kid, sources.cwd, report);
  return written.jwks === undefined ? undefined : readJwks(written.jwks, report.at('jwks'));
}

async function readSecrets(
  written: Sound<KeyDefinition>,
  sources: SecretSources,
  report: Report,
): Promise<VerificationKey | undefined> {
  const secrets = [];
  for (const member of ['secret', 'previous'] as const) {
    const name = written[member];
    if (name === undefined) continue;
    const bytes = await secretBytes(name, written.encoding ?? 'text', sources, report.at(member));
    if (bytes === undefined) return undefined;
    secrets.push(createSecretKey(bytes));
  }
  return { kind: 'secret', secrets };
}

async function secretBytes(
  name: string,
  encoding: 'text' | 'base64' | 'hex',
  sources: SecretSources,
  report: Report,
): Promise<Buffer | undefined> {
  if (looksLikeSecret(name)) {
    const remedy = 'Revoke it, and write the name of an environment variable.';
    report.problem('literal-secret', 'is a secret itself, not the name of one', remedy);
    return undefined;
  }
  const found = await resolveSecret(name, sources);
  if (!(found instanceof Secret)) {
    report.problem(found.rule, `cannot be resolved: ${found.message}`, found.remedy);
    return undefined;
  }
  const text = found.reveal();
  if (encoding === 'text') return Buffer.from(text);
  const bytes = Buffer.from(text, encoding);
  if (bytes.toString(encoding) === (encoding === 'hex' ? text.toLowerCase() : text)) return bytes;
  report.problem(
    'secret-form',
    `names a secret that is not ${encoding}`,
    `Store it as ${encoding}, or write another encoding.`,
  );
  return undefined;
}

/** A PEM file with one public key, or a JSON file with a key set. */
function readFileKeys(
  file: string,
  kid: string | undefined,
  cwd: string,
  report: Report,
): VerificationKey | undefined {
  const remedy = 'Name a PEM file with one PUBLIC KEY, or a JSON file with a key set (RFC 7517).';
  const bytes = readBytes(resolve(cwd, file), MAX_FILE_BYTES);
  if (!Buffer.isBuffer(bytes)) {
    report.at('file').problem('key-file', `cannot be read: ${bytes.message}`, remedy);
    return undefined;
  }
  const text = bytes.toString('latin1');
  const found = text.trimStart().startsWith('{') ? readKeySet(bytes) : readPublicKey(text);
  if (typeof found === 'string') {
    report.at('file').problem('key-file', `names a file that ${found}`, remedy);
    return undefined;
  }
  if (!('type' in found) && kid !== undefined) {
    const message = 'goes with a PEM file; a key set has the ids of its keys itself';
    report.at('kid').problem('key-file', message, 'Remove it.');
    return undefined;
  }
  const keys = 'type' in found ? [{ kid, alg: undefined, key: found }] : found;
  return { kind: 'public', keys: new FixedKeys(keys, 'type' in found && kid === undefined) };
}

function readJwks(
  written: Sound<NonNullable<KeyDefinition['jwks']>>,
  report: Report,
): VerificationKey | undefined {
  if (written.url === undefined) return undefined;
  const place = readUrl(written.url, report.at('url'));
  const duration = (key: 'timeout' | 'refresh' | 'keep' | 'retry', unset: number, most: number): number => {
    const text = written[key];
    const value = text === undefined ? unset : (report.at(key).quantity(parseDuration(text)) ?? unset);
    if (value > 0 && value <= most) return value;
    report
      .at(key)
      .problem('out-of-range', 'is out of range', `Write a time from 1ms to ${formatDuration(most)}.`);
    return unset;
  };
  const defaults = DEFAULT_KEY_SET_OPTIONS;
  const size = written.size === undefined ? undefined : report.at('size').quantity(parseSize(written.size));
  const bytes = size ?? defaults.bytes;
  if (bytes < 1 || bytes > MOST_SET_BYTES) {
    report.at('size').problem('out-of-range', 'is out of range', 'Write a size from 1 B to 1 MiB.');
  }
  const options = {
    timeoutMs: duration('timeout', defaults.timeoutMs, 60_000),
    bytes,
    refreshMs: duration('refresh', defaults.refreshMs, 24 * HOUR),
    keepMs: duration('keep', defaults.keepMs, 7 * 24 * HOUR),
    retryMs: duration('retry', defaults.retryMs, 24 * HOUR),
  };
  if (options.keepMs < options.refreshMs) {
    const remedy =
      'Make keep at least as long as refresh; a set would count for nothing before it is fetched anew.';
    report.at('keep').problem('out-of-range', 'is shorter than refresh', remedy);
  }
  return place && { kind: 'public', keys: new RemoteKeys({ ...place, ...options }) };
}

/** https, or http on this machine: whoever can change a key set on its way signs whatever they like. */
function readUrl(text: string, report: Report): { origin: string; target: string } | undefined {
  const question = text.indexOf('?');
  const query = question < 0 ? '' : text.slice(question);
  const base = readBaseUrl(question < 0 ? text : text.slice(0, question), report);
  if (base === undefined) return undefined;
  if (!/^(?:\?[!-"$&-~%]*)?$/.test(query)) {
    report.problem(
      'bad-url',
      'has a query with a fragment or a character that must be escaped',
      'Escape it.',
    );
    return undefined;
  }
  const { protocol, hostname } = new URL(base.origin);
  if (protocol !== 'https:' && !/^(?:localhost|127\.[0-9.]+|\[::1\])$/.test(hostname)) {
    report.problem('bad-url', 'is not https', 'Write an https URL; http is for this machine only.');
    return undefined;
  }
  return { origin: base.origin, target: `${base.basePath === '' ? '/' : base.basePath}${query}` };
}

/** What verifies the answers of a route; undefined where nothing has to be signed, or a key is wrong (reported). */
export function bindSignatures(
  { signatures }: Assembled,
  keys: KeyRing,
  report: Report,
): AnswerVerifier | undefined {
  const bound = signatures?.withKeys(keys);
  if (bound === undefined || !('problems' in bound)) return bound;
  for (const { message, remedy } of bound.problems) {
    report.problem('signature-key', `demands signatures that cannot be verified: ${message}`, remedy);
  }
  return undefined;
}
