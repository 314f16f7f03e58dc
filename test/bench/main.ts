import { parseArgs } from 'node:util';
import { barsText } from './bars.js';
import { measureCalls } from './calls.js';
import { writeFigures } from './document.js';
import { environment, environmentText } from './environment.js';
import { type BenchOptions, PARTS, type Part, type PartName } from './part.js';
import { measureStart } from './start.js';

const HELP = `npm run bench -- [options]

  --only engine|calls|start   one part; may be given more than once
  --seconds N                 length of one measurement of calls; default 2
  --rounds N                  how often each is repeated; default 3
  --quick                     does everything run? one short round of few cells, the figures mean nothing
  --json                      the figures for a program, on standard output
  --write FILE                puts the tables between the marks of a Markdown file
`;

const HEADINGS: Readonly<Record<PartName, string>> = {
  engine: 'The scanner',
  calls: 'Whole calls',
  start: 'Start',
};

const MEASURE: Readonly<Record<PartName, (options: BenchOptions) => Promise<Part>>> = {
  engine: measureEngine,
  calls: measureCalls,
  start: measureStart,
};

async function measureEngine(options: BenchOptions): Promise<Part> {
  const file = new URL('engine.js', import.meta.url).href;
  const engine = (await import(file)) as { measureEngine(options: BenchOptions): Promise<Part> };
  return engine.measureEngine(options);
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  await run();
}

async function run(): Promise<void> {
  const names = PARTS.filter((name) => values.only === undefined || values.only.includes(name));
  const strangers = (values.only ?? []).filter((name) => !(PARTS as readonly string[]).includes(name));
  if (strangers.length > 0) throw new Error(`--only takes ${PARTS.join(', ')}, not ${strangers.join(', ')}`);
  const { quick } = values;
  const options: BenchOptions = {
    quick,
    seconds: positive('seconds', values.seconds, quick ? 0.3 : 2),
    rounds: positive('rounds', values.rounds, quick ? 1 : 3),
    progress: (text) => void process.stderr.write(`  ${text}\n`),
  };

  const place = environment();
  const parts: Part[] = [];
  for (const name of names) parts.push(await MEASURE[name](options));
  const bars = parts.flatMap((part) => part.bars);

  if (values.json) {
    const figures = Object.fromEntries(parts.map((part) => [part.name, part.figures]));
    process.stdout.write(`${JSON.stringify({ environment: place, quick, ...figures, bars })}\n`);
  }
  const text = [
    environmentText(place),
    ...(quick ? ['A quick run: its figures mean nothing.\n'] : []),
    ...parts.map((part) => `## ${HEADINGS[part.name]}\n\n${part.text}`),
    `## Bars\n\n${barsText(bars)}`,
  ].join('\n');
  if (!values.json) process.stdout.write(`\n${text}`);
  if (values.write !== undefined) {
    const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`;
    writeFigures(values.write, `Written by \`${command}\`.\n\n${text}`);
  }
}

function positive(name: string, text: string | undefined, unset: number): number {
  const value = text === undefined ? unset : Number(text);
  if (!(value > 0)) throw new Error(`--${name} takes a number above zero`);
  return value;
}
