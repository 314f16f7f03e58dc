import { resolve } from 'node:path';
import { parseDuration, parseSize } from '../contract/index.js';
import type { ConfigDefinition, Sound } from './definition.js';
import type { Report } from './report.js';
import type { AuditSettings, QuarantineSettings } from './settings.js';

const DAY = 86_400_000;
const KIB = 1_024;
const MIB = 1_048_576;

/** Relative paths start at the working directory. */
export function readAudit(
  written: Sound<ConfigDefinition['audit']>,
  cwd: string,
  report: Report,
): AuditSettings | undefined {
  if (written?.file === undefined) return undefined;
  return Object.freeze({
    file: resolve(cwd, written.file),
    durability: written.durability ?? 'durable',
    retainMs: retention(written.retain, report.at('retain')),
  });
}

export function readQuarantine(
  written: Sound<ConfigDefinition['quarantine']>,
  cwd: string,
  report: Report,
): QuarantineSettings | undefined {
  if (written?.dir === undefined) return undefined;
  const size = (key: 'item' | 'total', unset: number) => {
    const text = written[key];
    return text === undefined ? unset : (report.at(key).quantity(parseSize(text)) ?? unset);
  };
  const item = size('item', 256 * KIB);
  const total = size('total', 256 * MIB);
  if (item > total) {
    const remedy = 'Make total at least as large as item; no answer would ever be kept whole.';
    report.at('total').problem('out-of-range', 'is smaller than quarantine.item', remedy);
  }
  return Object.freeze({
    dir: resolve(cwd, written.dir),
    itemBytes: item,
    totalBytes: total,
    retainMs: retention(written.retain, report.at('retain')) ?? 14 * DAY,
  });
}

function retention(text: string | undefined, report: Report): number | undefined {
  if (text === undefined) return undefined;
  const value = report.quantity(parseDuration(text));
  if (value === undefined || (value > 0 && value <= 3_650 * DAY)) return value;
  report.problem('out-of-range', 'is out of range', 'Write a time from 1ms to 3650d.');
  return undefined;
}
