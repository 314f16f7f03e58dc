import { readFileSync, writeFileSync } from 'node:fs';

const START = '<!-- figures: written by a command, not by hand -->';
const END = '<!-- end of figures -->';

/** Puts figures between the two marks of a document; what is written by hand around them stays. */
export function writeFigures(file: string, figures: string): void {
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(START), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} lacks the marks ${START} and ${END}`);
  writeFileSync(file, `${text.slice(0, from)}${START}\n\n${figures.trim()}\n\n${text.slice(to)}`);
}
