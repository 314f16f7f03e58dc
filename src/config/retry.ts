import { parseDuration } from '../contract/index.js';
import { type BreakerPolicy, DEFAULT_BACKOFF, type RetryPolicy } from '../upstream/index.js';
import type { BreakerDefinition, RetryDefinition, Sound } from './definition.js';
import type { Report } from './report.js';
import { NOT_CONFIGURABLE } from './upstream-headers.js';

const DEFAULT_ON = ['connect', 'timeout', 502, 503, 504] as const;
const DEFAULT_OPEN_MS = 30_000;
const HOUR = 3_600_000;

/** Headers that leave with a call already, or carry credentials: as the name of a key they would not be one. */
const NO_KEY = new Set(['accept', 'user-agent', 'authorization', 'proxy-authorization', 'cookie']);

/**
 * Without `within`, only the call's own deadline bounds the attempts.
 *
 * @param place whether it stands in an upstream, for all its routes, or in a route
 * @param headerNames the headers that the configuration gives the upstream
 */
export function readRetry(
  written: Sound<RetryDefinition> | undefined,
  place: 'upstream' | 'route',
  headerNames: ReadonlySet<string>,
  report: Report,
): RetryPolicy {
  const within =
    written?.within === undefined ? undefined : report.at('within').quantity(parseDuration(written.within));
  const on = (written?.on ?? DEFAULT_ON).filter((reason) => reason !== undefined);
  if (place === 'upstream' && on.includes('invalid_response')) {
    report
      .at('on', on.indexOf('invalid_response'))
      .problem(
        'only-in-a-route',
        'cannot be invalid_response, which is for a route to say',
        'Remove it here, and write it in the retry of each route where one repeat of an invalid answer helps.',
      );
  }
  const key = written?.idempotency_key;
  if (key !== undefined) checkKey(key, headerNames, report.at('idempotency_key'));
  return {
    attempts: written?.attempts ?? 1,
    withinMs: within ?? Number.POSITIVE_INFINITY,
    on: new Set(on),
    backoff: readBackoff(written, report),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
}

function readBackoff(
  written: Sound<RetryDefinition> | undefined,
  report: Report,
): NonNullable<RetryPolicy['backoff']> {
  const baseMs = readPause(written?.backoff, report.at('backoff')) ?? DEFAULT_BACKOFF.baseMs;
  const capMs =
    readPause(written?.backoff_max, report.at('backoff_max')) ?? Math.max(baseMs, DEFAULT_BACKOFF.capMs);
  if (capMs < baseMs) {
    report
      .at('backoff_max')
      .problem('out-of-range', 'is shorter than backoff', 'Write a time that is at least as long.');
  }
  return Object.freeze({ baseMs, capMs });
}

function readPause(text: string | undefined, report: Report): number | undefined {
  if (text === undefined) return undefined;
  const ms = report.quantity(parseDuration(text));
  if (ms === undefined || (ms >= 1 && ms <= HOUR)) return ms;
  report.problem('out-of-range', 'is out of range', 'Write a value from 1ms to 1h.');
  return undefined;
}

function checkKey(name: string, headerNames: ReadonlySet<string>, report: Report): void {
  if (NOT_CONFIGURABLE.test(name) || NO_KEY.has(name)) {
    const message = 'is a header that means something else';
    report.problem('header-not-configurable', message, 'Write the name that the upstream documents.');
  } else if (headerNames.has(name)) {
    const message = "is a header that the upstream's headers set, so that every call would have the same key";
    report.problem('header-conflict', message, "Take it out of the upstream's headers.");
  }
}

/** Undefined where none is configured: it is off unless somebody asks for it. */
export function readBreaker(
  written: Sound<BreakerDefinition> | undefined,
  report: Report,
): BreakerPolicy | undefined {
  if (written?.failures === undefined) return undefined;
  const openMs = readPause(written.open, report.at('open')) ?? DEFAULT_OPEN_MS;
  return Object.freeze({ failures: written.failures, openMs });
}
