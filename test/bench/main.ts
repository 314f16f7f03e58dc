import { barsText } from './bars.js';
import { measureCalls } from './calls.js';
import { writeFigures } from './document.js';
import { measureEngine } from './engine.js';
import { environment, environmentText } from './environment.js';
import { measureEvidence } from './evidence.js';
import { measureLarge } from './large.js';
import { HELP, readOptions } from './options.js';
import type { BenchOptions, Part, PartName } from './part.js';
import { profileText } from './profile.js';
import { measureStart } from './start.js';

const HEADINGS: Readonly<Record<PartName, string>> = {
  engine: 'The scanner',
  calls: 'Whole calls',
  large: 'A large answer',
  start: 'Start',
};

const MEASURE: Readonly<Record<PartName, (options: BenchOptions) => Promise<Part>>> = {
  engine: async (options) => {
    const engine = await measureEngine(options);
    const { text, bars, rows } = measureEvidence(options);
    return {
      name: 'engine',
      text: `${engine.text}\n${text}`,
      bars: [...engine.bars, ...bars],
      figures: { ...engine.figures, evidence: rows },
    };
  },
  calls: measureCalls,
  large: measureLarge,
  start: measureStart,
};

const { names, profile, json, write, keep, options, help } = readOptions(process.argv.slice(2));

if (help) process.stdout.write(HELP);
else if (profile.length > 0)
  for (const what of profile) process.stdout.write(`\n${await profileText(what, options, keep)}`);
else await run();

async function run(): Promise<void> {
  const { quick } = options;
  const place = environment();
  const parts: Part[] = [];
  for (const name of names) parts.push(await MEASURE[name](options));
  const bars = parts.flatMap((part) => part.bars);
  const text = [
    environmentText(place),
    ...(quick ? ['A quick run: its figures mean nothing.\n'] : []),
    ...parts.map((part) => `## ${HEADINGS[part.name]}\n\n${part.text}`),
    `## Bars\n\n${barsText(bars)}`,
  ].join('\n');

  if (json) {
    const figures = Object.fromEntries(parts.map((part) => [part.name, part.figures]));
    process.stdout.write(`${JSON.stringify({ environment: place, quick, ...figures, bars })}\n`);
  } else {
    process.stdout.write(`\n${text}`);
  }
  if (write !== undefined) {
    const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`;
    writeFigures(write, `Written by \`${command}\`.\n\n${text}`);
  }
}
