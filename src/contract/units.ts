/** Limits carry units in configuration: sizes in bytes, durations in time. Whole numbers only, so that none is rounded. */

/** A number in the base unit (bytes, milliseconds), or what is wrong with the text. */
export type Quantity = { readonly value: number } | { readonly message: string; readonly remedy: string };

const SIZES: Readonly<Record<string, number>> = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 };
const TIMES: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `64 KiB` -> 65536. Units: B, KiB, MiB, GiB; one space or none before them. */
export function parseSize(text: string): Quantity {
  const remedy =
    'Write a whole number and B, KiB, MiB or GiB, such as "64 KiB"; kB and MB are not taken, since they mean two things.';
  return quantity(text, SIZES, 'size', remedy);
}

/** `1500ms`, `5s`, `14d` -> milliseconds. Units: ms, s, m, h, d; one space or none before them. */
export function parseDuration(text: string): Quantity {
  return quantity(
    text,
    TIMES,
    'duration',
    'Write a whole number and ms, s, m, h or d, such as "5s"; half a second is "500ms".',
  );
}

function quantity(
  text: string,
  units: Readonly<Record<string, number>>,
  what: string,
  remedy: string,
): Quantity {
  const match = /^(0|[1-9][0-9]*) ?([A-Za-z]+)$/.exec(text);
  const factor = match && Object.hasOwn(units, match[2] ?? '') ? units[match[2] ?? ''] : undefined;
  const value = Number(match?.[1]) * (factor ?? Number.NaN);
  if (Number.isNaN(value)) return { message: `is not a valid ${what}`, remedy };
  if (!Number.isSafeInteger(value)) return { message: 'is too large', remedy: `Write a smaller ${what}.` };
  return { value };
}

/** Bytes as a person writes them: the largest unit that leaves a whole number. */
export function formatSize(bytes: number): string {
  return format(bytes, SIZES, ' ');
}

/** Milliseconds as a person writes them: the largest unit that leaves a whole number. */
export function formatDuration(ms: number): string {
  return format(ms, TIMES, '');
}

function format(value: number, units: Readonly<Record<string, number>>, space: string): string {
  let text = String(value);
  for (const [unit, factor] of Object.entries(units)) {
    if (value % factor === 0 && (value > 0 || factor === 1)) text = `${value / factor}${space}${unit}`;
  }
  return text;
}
