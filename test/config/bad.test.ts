import { readdirSync } from 'node:fs';
import t from 'tap';
import { loadSettings } from '../../src/config/index.js';
import { asShown, expected, HOME } from './as-shown.js';

// One bad file per message: NAME.yaml, and beside it NAME.txt with what a person sees of it.

const folder = `${HOME}bad/`;

/** Every secret that stands in these files, or is reached from them, has this in it. */
const MARK = 'S3CRET';

const env = {
  TOKEN: `${MARK}${MARK}`,
  LEAKED: `ghp_${MARK}${MARK}`,
  EMPTY: '',
  TWICE: MARK,
  TWICE_FILE: '/nowhere',
  LOST_FILE: '/nowhere/secret',
  BROKEN: `${MARK}\n${MARK}`,
  DASHED: `${MARK}-${MARK}`,
  SHORT: MARK,
  SPACED: `${MARK} ${MARK}`,
};

const files = readdirSync(folder);
const names = files.filter((file) => file.endsWith('.yaml')).map((file) => file.replace(/\.yaml$/, ''));

for (const name of names) {
  t.test(name, async (t) => {
    const options = { cwd: HOME, secretsFolder: '/nowhere/secrets' };
    const result = await loadSettings(`${folder}${name}.yaml`, env, options);
    const diagnostics = 'diagnostics' in result ? result.diagnostics : [];
    t.not(diagnostics.length, 0, 'is refused');
    t.notOk(JSON.stringify(diagnostics).includes(MARK), 'no diagnostic holds a secret');
    const shown = asShown(diagnostics, folder);
    t.equal(shown, expected(`${folder}${name}.txt`, shown));
  });
}

t.test('nothing is expected of a file that is not there', async (t) => {
  const texts = files.filter((file) => file.endsWith('.txt')).map((file) => file.replace(/\.txt$/, ''));
  t.same(
    texts.filter((text) => !names.includes(text)),
    [],
  );
});
