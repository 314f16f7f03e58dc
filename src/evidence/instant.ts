const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * RFC 3339 date-time with a zone -> milliseconds since the epoch. Strict: capital T and Z, no space, a calendar day
 * that exists, no leap second; undefined for anything else. A time without zone is not a point in time.
 */
export function parseRfc3339(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have rolls over into the next one.
  if (utc.getUTCMonth() !== month - 1) return undefined;
  utc.setUTCHours(hour, minute, second);
  const millis = match[7] === undefined ? 0 : Math.floor(Number(`0.${match[7]}`) * 1000);
  let offset = 0;
  if (match[8] !== undefined) {
    const hours = Number(match[9]);
    const minutes = Number(match[10]);
    if (hours > 23 || minutes > 59) return undefined;
    offset = (hours * 60 + minutes) * 60_000 * (match[8] === '-' ? -1 : 1);
  }
  return utc.getTime() + millis - offset;
}
