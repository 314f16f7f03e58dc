import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { read } from './repository.js';

const page = read('docs/library.md');
const fences = [...page.matchAll(/^```(ts)?\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({
  language,
  text: text ?? '',
}));
const at = fences.findIndex(({ language }) => language === 'ts');

t.test('the example of docs/library.md is the one that is compiled and run here', async (t) => {
  const example = read('test/project/library-example.ts');
  t.equal(fences[at]?.text, example.replace("'../../src/index.js'", "'assay'"));
  const file = fileURLToPath(new URL('./library-example.js', import.meta.url));
  t.equal(
    execFileSync(process.execPath, [file], { encoding: 'utf8' }),
    fences[at + 1]?.text,
    'what it prints',
  );
});
