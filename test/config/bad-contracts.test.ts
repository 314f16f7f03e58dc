import { readdirSync } from 'node:fs';
import t from 'tap';
import { loadContract, loadFixtures } from '../../src/config/index.js';
import { asShown, expected, HOME } from './as-shown.js';

// One bad contract or folder of fixtures per message: a folder, and in it expected.txt with what a person sees of it.

const contracts = `${HOME}bad-contracts/`;
for (const name of readdirSync(contracts)) {
  t.test(`contract: ${name}`, async (t) => {
    const folder = `${contracts}${name}/`;
    const result =
      name === 'folder' ? loadContract(`${folder}item_status/1`) : loadContract(folder, { anywhere: true });
    const shown = asShown(
      'diagnostics' in result && 'source' in result === false ? result.diagnostics : [],
      folder,
    );
    t.not(shown, '', 'is refused');
    t.equal(shown, expected(`${folder}expected.txt`, shown));
  });
}

const fixtures = `${HOME}bad-fixtures/`;
for (const name of readdirSync(fixtures)) {
  t.test(`fixtures: ${name}`, async (t) => {
    const folder = `${fixtures}${name}/`;
    const result = loadFixtures(folder);
    const shown = asShown('diagnostics' in result ? result.diagnostics : [], folder);
    t.not(shown, '', 'are refused');
    t.equal(shown, expected(`${folder}expected.txt`, shown));
  });
}
