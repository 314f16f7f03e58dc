const FORM = /^-?(?:[0-9]{1,9}(?:\.[0-9]{1,9})?(?:h|ms|m|s))+$/;
const PART = /([0-9]+(?:\.[0-9]+)?)(h|ms|m|s)/g;
const SECONDS = { h: 3600, m: 60, s: 1, ms: 0.001 } as const;

/** 10,000 years in seconds, the range of google.protobuf.Duration. */
const MAX_SECONDS = 315_576_000_000;

/**
 * A span of time as Go, Kubernetes and Prometheus write it - `90s`, `1h30m`, `1.5h`, `-250ms` - in milliseconds;
 * undefined for anything else, days and months among it, which have no fixed length.
 */
export function parseSpan(text: string): number | undefined {
  if (text.length > 64 || !FORM.test(text)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(PART))
    seconds += Number(amount) * SECONDS[unit as keyof typeof SECONDS];
  if (seconds > MAX_SECONDS) return undefined;
  const ms = Math.round(seconds * 1000);
  return text.startsWith('-') ? -ms : ms;
}
