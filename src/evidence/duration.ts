const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `60s`, `5m`, `24h`, `14d` -> milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(0|[1-9][0-9]{0,8})(ms|s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * UNITS[match[2] as keyof typeof UNITS] : undefined;
}
