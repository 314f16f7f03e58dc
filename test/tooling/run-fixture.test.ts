import t from 'tap';
import type { FixtureDefinition, LoadedFixture } from '../../src/config/index.js';
import { fixtureAnswer } from '../../src/tooling/fixture-answer.js';
import { fixtureCall, fixturePath } from '../../src/tooling/fixture-call.js';
import { formatVerdict, runFixture } from '../../src/tooling/index.js';
import { loadShipped } from '../schemas/shipped.js';

const review = await loadShipped('schemas/review_status/1');
const issue = await loadShipped('schemas/issue_summary/1');

/** A fixture of a shipped contract by its file's name, with some parts replaced. */
function variant(
  fixtures: readonly LoadedFixture[],
  name: string,
  change: Partial<FixtureDefinition>,
  more: Partial<LoadedFixture> = {},
): LoadedFixture {
  const found = fixtures.find(({ file }) => file.endsWith(`${name}.yaml`));
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return { ...found, ...more, definition: { ...found.definition, ...change } };
}

t.test('a fixture that claims the wrong thing is reported with what came', async (t) => {
  const accept = (expect: FixtureDefinition['expect']) =>
    runFixture(review, variant(review.fixtures, 'changes-requested', { expect }));
  const refuse = (expect: FixtureDefinition['expect']) =>
    runFixture(review, variant(review.fixtures, 'refuse/null-for-an-object', { expect }));
  const right = { change_id: 'CR-1347', decision: 'rejected', reviewed_by: 'octocat' };
  const got = `success with ${JSON.stringify(right)}`;

  t.match(await accept({ result: right }), { ok: true, got });
  t.match(await accept({ result: { ...right, decision: 'approved' } }), { ok: false, got });
  t.match(await accept({ result: { ...right, more: 1 } }), { ok: false, got });
  t.match(await accept({ result: { change_id: 'CR-1347', decision: 'rejected' } }), { ok: false, got });
  t.match(await accept({ result: right, untrusted_text: { title: 'x' } }), { ok: false, got });

  const code = 'CON_NO_ALTERNATIVE';
  t.match(await refuse({ code, pointer: '/user', agent: 'INVALID_RESPONSE' }), { ok: true });
  t.match(await refuse({ code: 'CHK_BIND' }), { ok: false, got: /^refusal CON_NO_ALTERNATIVE at "\/user"/ });
  t.match(await refuse({ code, pointer: '/user/login' }), { ok: false, got: /at "\/user", for the agent/ });
  t.match(await refuse({ code, agent: 'NOT_FOUND' }), { ok: false, got: /for the agent INVALID_RESPONSE/ });
});

t.test('untrusted text that the fixture does not expect is reported', async (t) => {
  const found = issue.fixtures.find(({ file }) => file.endsWith('accept/closed.yaml'));
  const result = found !== undefined && 'result' in found.definition.expect && found.definition.expect.result;
  const verdict = await runFixture(issue, variant(issue.fixtures, 'accept/closed', { expect: { result } }));
  t.match(verdict, { ok: false, got: /untrusted_text \{"title":"Found a bug"\}$/ });
});

t.test('an answer that is refused does not pass as accepted, nor the other way round', async (t) => {
  const refused = variant(
    review.fixtures,
    'accept/changes-requested',
    {},
    { body: Buffer.from('{"id":80,"user":null}') },
  );
  t.match(await runFixture(review, refused), { ok: false, got: /^refusal CON_NO_ALTERNATIVE/ });

  const body = review.fixtures.find(({ file }) => file.endsWith('accept/changes-requested.yaml'))?.body;
  const accepted = variant(
    review.fixtures,
    'refuse/null-for-an-object',
    {},
    body === undefined ? {} : { body },
  );
  t.match(await runFixture(review, accepted), { ok: false, got: /^success with/ });
});

t.test('a request that the contract cannot have is no case at all', async (t) => {
  const run = (params: Readonly<Record<string, string | number>>) =>
    runFixture(review, variant(review.fixtures, 'changes-requested', { request: { params } }));
  const all = { owner: 'octocat', repo: 'hello-world', number: 1347, review: 80 };
  t.match(await run({ ...all, extra: 1 }), { ok: false, got: /^nothing was run: .* no parameter extra/ });
  t.match(await run({ owner: 'octocat', repo: 'hello-world', number: 1347 }), {
    ok: false,
    got: /^nothing was run: .* no value for review/,
  });
});

t.test('a fixture in the wrong folder is no case at all', async (t) => {
  const verdict = await runFixture(
    review,
    variant(review.fixtures, 'changes-requested', {}, { kind: 'refuse' }),
  );
  t.match(verdict, { ok: false, got: /^nothing was run: a fixture under refuse\/ has expect.code/ });
});

t.test('a verdict as a person reads it', async (t) => {
  const expect = { code: 'CHK_BIND', pointer: '/id' } as const;
  const verdict = await runFixture(
    review,
    variant(review.fixtures, 'refuse/null-for-an-object', { expect, title: 'a title' }, { file: 'a.yaml' }),
  );
  t.equal(
    formatVerdict(verdict),
    'a.yaml: a title\n' +
      '  expected refusal CHK_BIND at "/id"\n' +
      '  got      refusal CON_NO_ALTERNATIVE at "/user", for the agent INVALID_RESPONSE (schema review.schema.json#/properties/user/type)\n',
  );
  t.equal(formatVerdict({ ...verdict, ok: true }), 'a.yaml: a title: ok\n');
});

t.test(
  'the call of a fixture: values are escaped, a list repeats the parameter, a body is typed',
  async (t) => {
    t.equal(fixturePath(['owner', 'repo']), '/fixture/{owner}/{repo}');
    t.equal(fixturePath([]), '/fixture');
    const call = fixtureCall(['project'], 'POST', {
      params: { project: 'group/name ü' },
      query: { label: ['a&b', 'c'], page: 2 },
      body: { n: 1 },
    });
    t.match(call, {
      method: 'POST',
      target: '/fixture/group%2Fname%20%C3%BC?label=a%26b&label=c&page=2',
      headers: [['content-type', 'application/json']],
    });
    t.same(typeof call === 'object' && Buffer.from(call.body ?? []).toString(), '{"n":1}');
    t.match(fixtureCall([], 'GET'), { target: '/fixture', headers: [], body: new Uint8Array() });
    t.match(fixtureCall([], 'POST', { headers: { 'Content-Type': 'text/plain' }, body: 1 }), {
      headers: [['Content-Type', 'text/plain']],
    });
  },
);

t.test('the answer of a fixture: its headers and no others, JSON where it gives none', async (t) => {
  const lines = (headers?: Readonly<Record<string, string | readonly string[]>>) =>
    fixtureAnswer({ status: 200, ...(headers === undefined ? {} : { headers }) }, new Uint8Array()).headers
      .lines;
  t.same(lines(), [['content-type', 'application/json; charset=utf-8']]);
  t.same(lines({}), []);
  t.same(lines({ Date: ['a', 'b'], 'x-y': 'z' }), [
    ['date', 'a'],
    ['date', 'b'],
    ['x-y', 'z'],
  ]);
});
