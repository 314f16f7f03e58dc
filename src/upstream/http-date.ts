const DAY_NAMES = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF_FIXDATE = new RegExp(
  `^(?:${DAY_NAMES}), ([0-9]{2}) (${MONTHS.join('|')}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT$`,
);

/**
 * Reads an HTTP date in its one current form, IMF-fixdate (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
 * The two obsolete forms are undefined: one has a two-digit year, the other no zone. The date must exist; whether
 * its day name fits is not looked at, since nothing depends on it. A leap second (`:60`) is the second after it.
 *
 * @returns milliseconds since the epoch
 */
export function parseHttpDate(value: string): number | undefined {
  const match = IMF_FIXDATE.exec(value);
  if (match === null) return undefined;
  const [, day, month, year, hour, minute, second] = match;
  const date = {
    year: Number(year),
    month: MONTHS.indexOf(month ?? ''),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  if (date.hour > 23 || date.minute > 59 || date.second > 60) return undefined;

  // Date.UTC takes the years 0 to 99 for 1900 to 1999, and carries a 30 February over into March
  const midnight = new Date(0);
  midnight.setUTCFullYear(date.year, date.month, date.day);
  if (midnight.getUTCMonth() !== date.month || midnight.getUTCDate() !== date.day) return undefined;
  return midnight.getTime() + ((date.hour * 60 + date.minute) * 60 + date.second) * 1000;
}
