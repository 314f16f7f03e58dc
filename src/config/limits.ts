import { formatDuration, formatSize, parseDuration, parseSize } from '../contract/index.js';
import { DEFAULT_SCAN_LIMITS } from '../json/index.js';
import type { RouteLimits } from '../route/index.js';
import { DEFAULT_TRANSPORT_LIMITS, IDLE_MS } from '../upstream/index.js';
import type { LimitsDefinition, Sound } from './definition.js';
import type { Report } from './report.js';

interface LimitRow {
  readonly unit: 'duration' | 'size' | 'count';
  readonly default: number;
  /** Largest value that makes sense; timers beyond 2^31 ms fire at once, and some sizes are held in memory. */
  readonly most: number;
}

const KIB = 1_024;
const MIB = 1_048_576;
const HOUR = 3_600_000;
const transport = DEFAULT_TRANSPORT_LIMITS;
const scan = DEFAULT_SCAN_LIMITS;

/** Every limit by the key it has in the configuration, in milliseconds, bytes or as a count. */
export const LIMITS = {
  connect: { unit: 'duration', default: transport.connectMs, most: HOUR },
  idle: { unit: 'duration', default: IDLE_MS, most: HOUR },
  first_byte: { unit: 'duration', default: transport.firstByteMs, most: HOUR },
  total: { unit: 'duration', default: transport.totalMs, most: HOUR },
  wire_bytes: { unit: 'size', default: transport.wireBytes, most: 256 * MIB },
  decoded_bytes: { unit: 'size', default: transport.decodedBytes, most: 256 * MIB },
  ratio: { unit: 'count', default: transport.ratio, most: 10_000 },
  header_bytes: { unit: 'size', default: transport.headerBytes, most: MIB },
  header_lines: { unit: 'count', default: transport.headerLines, most: 10_000 },
  interim_responses: { unit: 'count', default: transport.interimResponses, most: 1_000 },
  retry_after: { unit: 'duration', default: transport.retryAfterMs, most: 24 * HOUR },
  depth: { unit: 'count', default: scan.depth, most: 256 },
  members: { unit: 'count', default: scan.members, most: 1_000_000 },
  items: { unit: 'count', default: scan.items, most: 10_000_000 },
  tokens: { unit: 'count', default: scan.tokens, most: 100_000_000 },
  name_bytes: { unit: 'size', default: scan.nameBytes, most: 64 * KIB },
  string_bytes: { unit: 'size', default: scan.stringBytes, most: 64 * MIB },
  number_bytes: { unit: 'size', default: scan.numberBytes, most: 4 * KIB },
  request_bytes: { unit: 'size', default: 256 * KIB, most: 64 * MIB },
  path_bytes: { unit: 'size', default: 4 * KIB, most: 16 * KIB },
} as const satisfies Record<string, LimitRow>;

export type LimitKey = keyof typeof LIMITS;
export type LimitValues = Readonly<Record<LimitKey, number>>;

const KEYS = Object.keys(LIMITS) as LimitKey[];

export const DEFAULT_LIMITS = Object.fromEntries(
  KEYS.map((key) => [key, LIMITS[key].default]),
) as LimitValues;

/** The limits below, with those that `written` sets in their place; built-in < upstream < route. */
export function mergeLimits(
  below: LimitValues,
  written: Sound<LimitsDefinition> | undefined,
  report: Report,
): LimitValues {
  const merged: Record<LimitKey, number> = { ...below };
  for (const key of KEYS) {
    const text = written?.[key];
    if (text === undefined) continue;
    const value = readLimit(LIMITS[key], text, report.at(key));
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

function readLimit(row: LimitRow, text: string | number, report: Report): number | undefined {
  const value =
    typeof text === 'number'
      ? text
      : report.quantity(row.unit === 'size' ? parseSize(text) : parseDuration(text));
  if (value === undefined) return undefined;
  if (value >= 1 && value <= row.most) return value;
  const format = { duration: formatDuration, size: formatSize, count: String }[row.unit];
  report.problem(
    'out-of-range',
    'is out of range',
    `Write a value from ${format(1)} to ${format(row.most)}.`,
  );
  return undefined;
}

/** The limits in the shape that routes take. */
export function routeLimits(values: LimitValues): RouteLimits {
  return Object.freeze({
    connectMs: values.connect,
    firstByteMs: values.first_byte,
    totalMs: values.total,
    wireBytes: values.wire_bytes,
    decodedBytes: values.decoded_bytes,
    ratio: values.ratio,
    headerBytes: values.header_bytes,
    headerLines: values.header_lines,
    interimResponses: values.interim_responses,
    retryAfterMs: values.retry_after,
    requestBytes: values.request_bytes,
    pathBytes: values.path_bytes,
    scan: Object.freeze({
      depth: values.depth,
      members: values.members,
      items: values.items,
      tokens: values.tokens,
      nameBytes: values.name_bytes,
      stringBytes: values.string_bytes,
      numberBytes: values.number_bytes,
    }),
  });
}
