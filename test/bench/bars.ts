import type { Bar } from './part.js';
import type { Spread } from './statistics.js';
import { spreadText, table } from './table.js';

/** A bar over the median of a figure; compared as it is printed, to two digits. */
export function bar(
  what: string,
  relation: '>=' | '<=' | '<',
  limit: number,
  reached: Spread,
  unit = '',
): Bar {
  const shown = Number(reached.median.toFixed(2));
  const met = relation === '>=' ? shown >= limit : relation === '<=' ? shown <= limit : shown < limit;
  const { median, min, max } = reached;
  return { what, wanted: `${relation} ${limit}${unit}`, reached: median, min, max, met };
}

export function barsText(bars: readonly Bar[]): string {
  const rows = bars.map(({ what, wanted, reached, min, max, met }) => [
    what,
    wanted,
    spreadText({ median: reached, min, max }),
    met ? 'met' : 'MISSED',
  ]);
  const missed = bars.filter(({ met }) => !met).length;
  return `${table(['bar', 'wanted', 'reached', ''], rows)}\n${bars.length - missed} of ${bars.length} met.\n`;
}
