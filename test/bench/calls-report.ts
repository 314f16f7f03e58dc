import { bar } from './bars.js';
import { type CallsFigures, type Cell, JUDGED_CONNECTIONS, type Sample } from './calls-figures.js';
import type { Bar } from './part.js';
import { ratioOf, type Spread, spreadOf } from './statistics.js';
import type { SystemName } from './systems.js';
import { figure, spreadText, table } from './table.js';

const MIB = 1_048_576;

/** What a system is, for whoever reads the tables. */
const WHAT: Readonly<Record<SystemName, string>> = {
  direct: 'the upstream itself, without anything in between: what no system can pass',
  assay:
    '`assay serve` as it is shipped: log at its level to /dev/null, audit file (async), five fields kept, envelope',
  unsafe:
    'Fastify, undici, `JSON.parse`, Ajv with the same schema, the same fields picked by hand; no log, no record',
  'http-proxy': '`@fastify/http-proxy`: every byte passed on unchecked; no log',
  nginx: '`proxy_pass` with kept connections, one worker: every byte passed on unchecked; no log',
};

export function callsText(figures: CallsFigures): string {
  const { cells, generator, nginx, seconds, problems } = figures;
  const rounds = cells[0]?.rounds.length ?? 0;
  const systems = Object.entries(WHAT)
    .filter(([name]) => cells.some(({ system }) => system === name))
    .map(([name, what]) => `- **${name}**: ${what}\n`);
  if (nginx === null) systems.push('- nginx is not installed here, so it is not compared.\n');
  const notes = `\
Load: ${generator}, one thread, each connection with one request at a time. Each system is a process of its own, and so are the
load generator and the upstream (precomputed answers over raw TCP); all share this machine, none is bound to a processor. Each
body has new processes, warmed up for two seconds. A figure is the median of ${rounds} round${rounds === 1 ? '' : 's'} of ${figure(seconds)} s (smallest..largest);
the systems take turns within a round, and a ratio compares two of one round. CPU is user and system time of the measured system, all
threads, from /proc; memory is resident memory right after the load. Before the load it is checked that every system
answers as it should, and that assay gives the fields that the unsafe path picks.

${systems.join('')}`;
  return [
    notes,
    ...bodiesOf(cells).map((body) => bodyText(body, cells)),
    ratiosText(cells),
    refusalText(cells),
  ]
    .concat(
      problems.length === 0 ? [] : [`### Problems\n\n${problems.map((line) => `- ${line}\n`).join('')}`],
    )
    .join('\n');
}

function bodyText(body: string, cells: readonly Cell[]): string {
  const rows = cells
    .filter((cell) => cell.body === body && cell.ending === 'accepted')
    .map((cell) => [`${cell.system}, ${cell.connections}`, ...columns(cell)]);
  return `### ${body}, accepted\n\n${table(['system, connections', ...COLUMNS], rows)}`;
}

const COLUMNS = ['requests/s', 'p50 ms', 'p99 ms', 'CPU us/request', 'memory MiB'];

function columns(cell: Cell): string[] {
  return [
    spreadText(over(cell, 'requestsPerSecond')),
    spreadText(over(cell, 'p50Ms')),
    spreadText(over(cell, 'p99Ms')),
    figure(over(cell, 'cpuUsPerRequest').median),
    figure(over(cell, 'rssBytes').median / MIB),
  ];
}

function ratiosText(cells: readonly Cell[]): string {
  const others: readonly SystemName[] = ['unsafe', 'http-proxy', 'nginx'];
  const measured = others.filter((name) => cells.some(({ system }) => system === name));
  const rows = cells
    .filter(({ system, ending }) => system === 'assay' && ending === 'accepted')
    .map((assay) => [
      `${assay.body}, ${assay.connections}`,
      ...measured.flatMap((system) => {
        const other = cells.find((cell) => isBeside(cell, assay) && cell.system === system);
        return other === undefined
          ? ['-', '-']
          : [
              spreadText(ratio(assay, other, 'requestsPerSecond')),
              spreadText(ratio(assay, other, 'cpuUsPerRequest')),
            ];
      }),
    ]);
  const head = measured.flatMap((system) => [`requests/s of ${system}`, 'CPU']);
  return `### assay as a multiple of the others\n\n${table(['body, connections', ...head], rows)}`;
}

function refusalText(cells: readonly Cell[]): string {
  const refused = cells.filter(({ ending }) => ending !== 'accepted');
  const rows = refused.map((cell) => {
    const accepted = cells.find(
      ({ system, ending, ...place }) =>
        ending === 'accepted' && system === cell.system && isBeside(place, cell),
    );
    const times = accepted === undefined ? '-' : spreadText(ratio(cell, accepted, 'requestsPerSecond'));
    return [`${cell.system}, ${cell.body}, ${cell.ending}`, ...columns(cell), times];
  });
  return `### Refused answers, ${JUDGED_CONNECTIONS} connections

Late: the last byte is garbage. Early: the second byte is.

${table(['system, body, where', ...COLUMNS, 'requests/s of accepted'], rows)}`;
}

export function callsBars({ cells }: CallsFigures): Bar[] {
  const bars: Bar[] = [];
  const at = (body: string, system: SystemName, ending: Cell['ending'] = 'accepted') =>
    cells.find(
      (cell) =>
        cell.body === body &&
        cell.system === system &&
        cell.ending === ending &&
        cell.connections === JUDGED_CONNECTIONS,
    );
  const rate = (body: string, other: SystemName, limit: number): void => {
    const [assay, beside] = [at(body, 'assay'), at(body, other)];
    if (assay === undefined || beside === undefined) return;
    bars.push(
      bar(
        `requests/s against ${other}, ${body}`,
        '>=',
        limit,
        ratio(assay, beside, 'requestsPerSecond'),
        ' x',
      ),
    );
  };
  rate('109 B', 'http-proxy', 1.3);
  rate('21 KB', 'http-proxy', 1.3);
  rate('1 MB', 'http-proxy', 1.5);
  rate('109 B', 'unsafe', 0.85);
  rate('21 KB', 'unsafe', 1.3);
  rate('1 MB', 'unsafe', 2.5);
  rate('1 MB', 'nginx', 0.8);
  const [assay, proxy] = [at('21 KB', 'assay'), at('21 KB', 'http-proxy')];
  if (assay !== undefined && proxy !== undefined) {
    bars.push(bar('p99 against http-proxy, 21 KB', '<=', 1, ratio(assay, proxy, 'p99Ms'), ' x'));
  }
  for (const body of bodiesOf(cells)) {
    for (const ending of ['late', 'early'] as const) {
      const [refused, accepted] = [at(body, 'assay', ending), at(body, 'assay')];
      if (refused === undefined || accepted === undefined) continue;
      const times = ratio(refused, accepted, 'requestsPerSecond');
      bars.push(bar(`requests/s of refusing (${ending}) against accepting, ${body}`, '>=', 1, times, ' x'));
    }
  }
  return bars;
}

function bodiesOf(cells: readonly Cell[]): string[] {
  return [...new Set(cells.map(({ body }) => body))];
}

function isBeside(a: Pick<Cell, 'body' | 'connections'>, b: Pick<Cell, 'body' | 'connections'>): boolean {
  return a.body === b.body && a.connections === b.connections;
}

function over({ rounds }: Cell, name: keyof Sample): Spread {
  return spreadOf(rounds.map((sample) => sample[name] ?? Number.NaN));
}

function ratio(a: Cell, b: Cell, name: keyof Sample): Spread {
  const values = ({ rounds }: Cell) => rounds.map((sample) => sample[name] ?? Number.NaN);
  return ratioOf(values(a), values(b));
}
