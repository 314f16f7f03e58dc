import { readdirSync } from 'node:fs';
import t from 'tap';
import { loadContract } from '../../src/config/index.js';
import { assembleContract } from '../../src/route/index.js';
import { asShown, expected, HOME } from './as-shown.js';

// Contracts of the right shape whose urlencoded body is wrong: a folder, and in it expected.txt with what a person sees of it.

const root = `${HOME}bad-forms/`;
for (const name of readdirSync(root)) {
  t.test(name, async (t) => {
    const folder = `${root}${name}/`;
    const loaded = loadContract(folder, { anywhere: true });
    if (!('source' in loaded)) throw new Error(asShown(loaded.diagnostics, folder));
    const assembled = assembleContract(loaded.source);
    const problems = 'problems' in assembled ? assembled.problems : [];
    const shown = asShown(loaded.diagnostics(problems), folder);
    t.not(shown, '', 'is refused');
    t.equal(shown, expected(`${folder}expected.txt`, shown));
  });
}
