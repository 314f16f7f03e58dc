import { BUILT_IN_PROFILES, type FailureProfile } from '../envelope/index.js';
import type { ConfigDefinition, ProfileDefinition, Sound } from './definition.js';
import type { Report } from './report.js';

/** Headers of a failure that are made here and cannot be replaced. */
const OURS = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'cache-control',
  'date',
  'x-request-id',
]);

/** Headers of an answer that say something of this one answer, so that no constant can stand for them. */
const NOT_CONSTANT =
  /^(?:link|location|content-location|content-range|set-cookie|retry-after|etag|last-modified|age|expires|vary|www-authenticate|x-should-retry)$/;

const PLACEHOLDER = /\{[A-Za-z_]*\}/;
const WHOLE_PLACEHOLDER = /^\{(?:code|retryable|request_id)\}$/;

/** The built-in profiles and the configuration's own ones, by name. */
export function readProfiles(
  written: Sound<ConfigDefinition['failure_profiles']>,
  report: Report,
): ReadonlyMap<string, FailureProfile> {
  const profiles = new Map(BUILT_IN_PROFILES);
  for (const [name, profile] of Object.entries(written ?? {})) {
    const at = report.at(name);
    if (BUILT_IN_PROFILES.has(name)) {
      at.keyProblem('taken-name', 'has the name of a built-in profile', 'Choose another name.');
    }
    if (profile !== undefined) profiles.set(name, readProfile(name, profile, at));
  }
  return profiles;
}

function readProfile(name: string, written: Sound<ProfileDefinition>, report: Report): FailureProfile {
  const headers: Record<string, string> = {};
  for (const [header, value] of Object.entries(written.headers ?? {})) {
    const at = report.at('headers', header);
    if (OURS.has(header)) {
      at.keyProblem('own-header', 'is a header that the sidecar makes itself', 'Remove it.');
    } else if (value !== undefined) {
      placeholders(value, at);
      headers[header] = value;
    }
  }
  if (written.body !== undefined) {
    eachText(
      written.body,
      [],
      (text, path) => placeholders(text, at(report, path)),
      (path, key) => placeholderName(key, at(report, path)),
    );
  }
  return Object.freeze({
    name,
    ...(written.status === undefined ? {} : { status: written.status }),
    headers: Object.freeze(headers),
    ...(written.body === undefined ? {} : { body: freeze(written.body) }),
  });
}

/** The headers that every answer of an upstream has, success or failure, whatever was called. */
export function readAnswerHeaders(
  written: Sound<Readonly<Record<string, string>>>,
  report: Report,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [header, value] of Object.entries(written)) {
    const at = report.at(header);
    if (OURS.has(header)) {
      at.keyProblem('own-header', 'is a header that the sidecar makes itself', 'Remove it.');
    } else if (NOT_CONSTANT.test(header)) {
      at.keyProblem('no-constant', 'is a header that no constant can stand for', 'Remove it.');
    } else if (value !== undefined && PLACEHOLDER.test(value)) {
      const remedy = 'Write plain text; only failure_profiles know {code}, {retryable} and {request_id}.';
      at.problem('bad-placeholder', 'has a placeholder that would not be filled', remedy);
    } else if (value !== undefined) {
      headers[header] = value;
    }
  }
  return Object.freeze(headers);
}

function at(report: Report, path: readonly string[]): Report {
  return report.at('body', ...path);
}

/** Only a whole text is filled; anything else that looks like a placeholder would reach agents as it stands. */
function placeholders(text: string, report: Report): void {
  if (!PLACEHOLDER.test(text) || WHOLE_PLACEHOLDER.test(text)) return;
  const remedy = 'Write {code}, {retryable} or {request_id} as the whole text, or text without { }.';
  report.problem('bad-placeholder', 'has a placeholder that would not be filled', remedy);
}

/** The name of a member is never filled. */
function placeholderName(name: string, report: Report): void {
  if (!PLACEHOLDER.test(name)) return;
  const message = 'is a name with a placeholder, which would not be filled';
  report.keyProblem('bad-placeholder', message, 'Write {code}, {retryable} or {request_id} as a value.');
}

function eachText(
  value: unknown,
  path: readonly string[],
  visit: (text: string, path: readonly string[]) => void,
  visitKey: (path: readonly string[], key: string) => void,
): void {
  if (typeof value === 'string') visit(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) visitKey([...path, key], key);
    eachText(item, [...path, key], visit, visitKey);
  }
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) freeze(item);
    Object.freeze(value);
  }
  return value;
}
