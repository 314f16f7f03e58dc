import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { COMMANDS } from '../../src/cli/commands.js';
import { REQUEST_ID } from '../../src/envelope/index.js';
import { AGENT_CODES, isOperatorCode, OPERATOR_CODES, operatorCode, STAGES } from '../../src/fault/index.js';
import { DEMO_CALLS } from '../../src/tooling/index.js';
import { brokenLinks, codeOf, linksOf } from './markdown.js';
import { exists, projectFiles, read, readPackage } from './repository.js';

const documents = projectFiles().filter((file) => file.endsWith('.md'));
const texts = new Map(documents.map((file) => [file, read(file)]));

t.test('the front documents are there', async (t) => {
  const front = ['README', 'ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY'].map(
    (name) => `${name}.md`,
  );
  for (const file of front) t.ok(texts.has(file), file);
});

t.test('every relative link leads to a file and, where it names one, to a heading', async (t) => {
  for (const [file, text] of texts) t.same(brokenLinks(file, text, exists, read), [], file);
  t.ok(linksOf(texts.get('README.md') ?? '').length > 5, 'the README has links to hold');
});

t.test('every document is linked from another one', async (t) => {
  const all = [...texts.entries()];
  for (const file of documents.filter((file) => file !== 'README.md')) {
    const name = file.split('/').at(-1) ?? file;
    const linked = all.some(
      ([from, text]) =>
        from !== file && linksOf(text).some((link) => link.target.split('#')[0]?.endsWith(name)),
    );
    t.ok(linked, file);
  }
});

t.test('every npm script that a document names exists', async (t) => {
  const { scripts } = readPackage();
  for (const [file, text] of texts) {
    const named = codeOf(text).flatMap((code) => [
      ...[...code.matchAll(/\bnpm run ([\w:-]+)/g)].map((match) => match[1] ?? ''),
      ...[...code.matchAll(/\bnpm (start|test)\b/g)].map((match) => match[1] ?? ''),
    ]);
    t.same(
      named.filter((name) => !Object.hasOwn(scripts, name)),
      [],
      file,
    );
  }
});

t.test('every command that a document tells to type exists', async (t) => {
  const names = new Set([
    ...COMMANDS.map((command) => command.name.split(' ')[0]),
    'help',
    '--version',
    '--help',
  ]);
  for (const [file, text] of texts) {
    const typed = codeOf(text).flatMap((code) =>
      [...code.matchAll(/^(?:\$ )?(?:npx )?assay ([a-z-]+)/gm)].map((match) => match[1] ?? ''),
    );
    t.same(
      typed.filter((name) => !names.has(name)),
      [],
      file,
    );
  }
});

t.test('every path that a document names exists, or is made by the reader', async (t) => {
  const ours = /^(?:\.\/)?((?:src|test|docs|config|schemas|\.ci)\/[\w./@-]+)$/;
  for (const [file, text] of texts) {
    const named = codeOf(text).flatMap((code) => ours.exec(code)?.slice(1, 2) ?? []);
    const made = [...text.matchAll(/^mkdir -p (.+)$/gm)].flatMap((match) =>
      (match[1] ?? '').split(' ').map(firstMissing),
    );
    const expected = (path: string) =>
      exists(path) || isPlaceholder(path) || made.some((folder) => `${path}/`.startsWith(`${folder}/`));
    t.same(
      named.filter((path) => !expected(path)),
      [],
      file,
    );
  }
});

/** The part of a path that the reader's mkdir makes. */
function firstMissing(path: string): string {
  const parts = path.split('/');
  const depth = parts.findIndex((_, i) => !exists(parts.slice(0, i + 1).join('/')));
  return depth < 0 ? path : parts.slice(0, depth + 1).join('/');
}

/** `schemas/TOOL/MAJOR/`: a form, not a path. */
function isPlaceholder(path: string): boolean {
  return path.split('/').some((part) => /^[A-Z]{2,}$/.test(part));
}

t.test('every operator code that a document names exists', async (t) => {
  const family = /\b(?:REQ|UPS|BYT|PRS|SIG|CON|CHK|SEL|AUD)_[A-Z0-9_]*[A-Z0-9]\b(?!\*)/g;
  for (const [file, text] of texts) {
    t.same(
      [...text.matchAll(family)].map((match) => match[0]).filter((code) => !isOperatorCode(code)),
      [],
      file,
    );
  }
});

t.test('docs/lifecycle.md gives each stage the codes that leave there', async (t) => {
  const sections = (texts.get('docs/lifecycle.md') ?? '').split(/^## (?=\d+\. )/m).slice(1);
  t.same(
    sections.map((section) => /^\d+\. (\w+)/.exec(section)?.[1]),
    STAGES,
    'one section a stage, in order',
  );
  for (const [index, stage] of STAGES.entries()) {
    const rows = [...(sections[index] ?? '').matchAll(/^\| `([A-Z0-9_]+)` \| `([A-Z_]+)` \| (\d{3}) \|/gm)];
    const told = rows.map(([, code, agent, status]) => `${code} ${agent} ${status}`);
    t.same(told, expectedRows(stage), stage);
  }
});

function expectedRows(stage: string): string[] {
  return Object.keys(OPERATOR_CODES)
    .filter(isOperatorCode)
    .filter((code) => operatorCode(code).stage === stage)
    .map((code) => {
      const { agent, status } = operatorCode(code);
      return `${code} ${agent} ${status ?? AGENT_CODES[agent].status}`;
    });
}

t.test('what the README shows of answers and contracts is so', async (t) => {
  const readme = texts.get('README.md') ?? '';
  const answers = fencesOf(readme, 'json').map((text) => JSON.parse(text));
  t.equal(answers.length, 3);
  for (const { tool, request_id, ...shown } of answers) {
    t.match(request_id, REQUEST_ID);
    const told = DEMO_CALLS.filter((call) => call.tool === tool).map(({ expect }) =>
      expect.outcome === 'success'
        ? { ...expect }
        : {
            outcome: 'failure',
            error: { code: expect.code, retryable: AGENT_CODES[expect.code].retryable },
          },
    );
    t.ok(
      told.some((expected) => isDeepStrictEqual(expected, shown)),
      `the demo gives ${JSON.stringify(shown)}`,
    );
  }
  const listed = Object.keys(AGENT_CODES).filter((code) => readme.includes(`\`${code}\``));
  t.same(listed, Object.keys(AGENT_CODES), 'the agent codes');

  const excerpts = fencesOf(readme, 'yaml').map((text) => text.split('\n').map((line) => line.trim()));
  t.equal(excerpts.length, 1);
  for (const [head = '', ...lines] of excerpts) {
    const whole = read(head.replace(/^# /, ''))
      .split('\n')
      .map((line) => line.trim());
    t.same(
      lines.filter((line) => !whole.includes(line)),
      [],
      head,
    );
  }
});

/** Contents of the fences of one language, also where they are indented. */
function fencesOf(text: string, language: string): string[] {
  const fences = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)\\n\\1\`\`\``, 'gm');
  return [...text.matchAll(fences)].map((match) => match[2] ?? '');
}

t.test('nothing is left to do in the text of the project', async (t) => {
  // Put together here, so that this file does not find itself.
  const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);
  const text = projectFiles().filter(
    (file) => /\.(ts|mjs|md|ya?ml|json|sh)$/.test(file) && file !== 'package-lock.json',
  );
  const marked = text.filter((file) => marks.test(read(file)));
  t.ok(text.length > 100, 'the files are found');
  t.same(marked, []);
});

// The rules themselves, on text that breaks them.
t.test('broken links are found', async (t) => {
  const there = new Map([['docs/a.md', '# One `two`: three\n\n## Same\n\n## Same\n']]);
  const check = (text: string) =>
    brokenLinks(
      'README.md',
      text,
      (path) => there.has(path),
      (path) => there.get(path) ?? '',
    ).map(({ target, line, why }) => `${line}: ${target}: ${why}`);
  t.same(
    check('[a](docs/a.md) [b](docs/a.md#one-two-three) [c](docs/a.md#same-1) [d](https://example.com/x)'),
    [],
  );
  t.same(check('\n[a](docs/b.md)'), ['2: docs/b.md: no such file']);
  t.same(check('[a](docs/a.md#four)'), ['1: docs/a.md#four: no such heading']);
  t.same(check('```\n[a](docs/b.md)\n```\n`[a](docs/b.md)`'), []);
});
