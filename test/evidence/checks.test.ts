import t from 'tap';
import type { CallContext, CheckDefinition, ContractDefinition } from '../../src/contract/index.js';
import { type Check, compileChecks } from '../../src/evidence/index.js';
import { ResponseHeaders } from '../../src/upstream/index.js';

const REQUEST: ContractDefinition['request'] = {
  params: { number: { type: 'integer' }, owner: { type: 'string' } },
  query: { page: { type: 'integer' } },
  headers: { 'x-tenant': { type: 'string' } },
  body: { media_type: 'application/json', schema: true },
};
const NOW = Date.UTC(2026, 11, 1, 12, 0, 0);

function definition(...checks: CheckDefinition[]): ContractDefinition {
  return {
    tool: 'x',
    version: '1.0.0',
    purpose: 'x',
    request: REQUEST,
    responses: [{ status: 200, schema: true, select: { id: '/id' }, checks }],
    result: true,
  };
}

function compiled(check: CheckDefinition): Check {
  const result = compileChecks(definition(check));
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.checks[0]?.[0] as Check;
}

function problems(...checks: CheckDefinition[]) {
  const result = compileChecks(definition(...checks));
  return 'problems' in result ? result.problems.map((p) => [p.pointer, p.rule]) : [];
}

function context(headers: Record<string, string> = {}): CallContext {
  return {
    request: {
      params: { number: 1347, owner: 'Octocat' },
      query: {},
      headers: { 'x-tenant': 't1' },
      body: { ref: { id: 'main' } },
    },
    requestId: 'req.12345678',
    headers: new ResponseHeaders(Object.entries(headers)),
    now: NOW,
  };
}

t.test('bind', async (t) => {
  const refused = (check: CheckDefinition, value: unknown, headers = {}) => {
    const fault = compiled(check).run(value, context(headers));
    return fault && [fault.code, fault.detail.rule, fault.detail.instance ?? null];
  };
  const id: CheckDefinition = { id: 'same', bind: '/id', equals: '{request.params.number}' };
  t.equal(refused(id, { id: 1347 }), undefined);
  t.equal(refused(id, { id: '1347' }), undefined);
  for (const value of [
    { id: 1348 },
    { id: '01347' },
    { id: null },
    { id: [1347] },
    { id: { x: 1347 } },
    {},
    [],
    null,
  ]) {
    t.strictSame(refused(id, value), ['CHK_BIND', 'same', '/id'], JSON.stringify(value));
  }

  const url: CheckDefinition = { id: 'url', bind: '/pull/url', ends_with: '/pulls/{request.params.number}' };
  t.equal(refused(url, { pull: { url: 'https://x/pulls/1347' } }), undefined);
  t.strictSame(refused(url, { pull: { url: 'https://x/pulls/11347' } }), ['CHK_BIND', 'url', '/pull/url']);
  t.strictSame(refused(url, { pull: { url: 'https://x/pulls/1347/' } }), ['CHK_BIND', 'url', '/pull/url']);

  const owner: CheckDefinition = { id: 'o', bind: '/o', equals: '{request.params.owner}' };
  t.strictSame(refused(owner, { o: 'octocat' }), ['CHK_BIND', 'o', '/o']);
  const folded: CheckDefinition = { ...owner, ignore_case: true };
  t.equal(refused(folded, { o: 'OCTOCAT' }), undefined);
  // The Kelvin sign folds to k in Unicode, not in ASCII.
  t.strictSame(
    refused(
      { id: 'k', bind: '/o', equals: 'k{request.params.owner}', ignore_case: true },
      { o: '\u212aoctocat' },
    ),
    ['CHK_BIND', 'k', '/o'],
  );

  const body: CheckDefinition = { id: 'b', bind: '/ref', equals: 'refs/{request.body/ref/id}' };
  t.equal(refused(body, { ref: 'refs/main' }), undefined);
  t.strictSame(refused(body, { ref: 'refs/x' }), ['CHK_BIND', 'b', '/ref']);

  const echo: CheckDefinition = { id: 'e', bind: 'header:x-request-id', equals: '{request.id}' };
  t.equal(refused(echo, null, { 'x-request-id': 'req.12345678' }), undefined);
  t.strictSame(refused(echo, null, { 'x-request-id': 'other' }), ['CHK_BIND', 'e', null]);
  t.strictSame(refused(echo, null), ['CHK_BIND', 'e', null]);

  const page: CheckDefinition = { id: 'p', bind: '/page', equals: '{request.query.page}' };
  t.strictSame(
    refused(page, { page: 1 }),
    ['CHK_BIND', 'p', '/page'],
    'an absent request value decides nothing',
  );

  const each: CheckDefinition = {
    id: 'all',
    each: '/items',
    bind: '/owner/login',
    equals: '{request.params.owner}',
  };
  const items = (...logins: unknown[]) => ({ items: logins.map((login) => ({ owner: { login } })) });
  t.equal(refused(each, items('Octocat', 'Octocat')), undefined);
  t.equal(refused(each, items()), undefined);
  t.strictSame(refused(each, items('Octocat', 'other')), ['CHK_BIND', 'all', '/items/1/owner/login']);
  t.strictSame(refused(each, { items: {} }), ['CHK_BIND', 'all', '/items']);
});

t.test('fresh', async (t) => {
  const code = (check: CheckDefinition, value: unknown, headers = {}) =>
    compiled(check).run(value, context(headers))?.code;
  const member = (format?: 'epoch_s' | 'epoch_ms'): CheckDefinition => ({
    id: 'f',
    fresh: { from: '/at', within: '60s', skew: '5s', ...(format === undefined ? {} : { format }) },
  });
  const at = (ms: number) => ({ at: new Date(NOW + ms).toISOString() });
  t.equal(code(member(), at(0)), undefined);
  t.equal(code(member(), at(-60_000)), undefined);
  t.equal(code(member(), at(-60_001)), 'CHK_FRESH_STALE');
  t.equal(code(member(), at(5_000)), undefined);
  t.equal(code(member(), at(5_001)), 'CHK_FRESH_FUTURE');
  for (const value of [
    { at: '2026-12-01 12:00:00' },
    { at: '2026-12-01T12:00:00' },
    { at: null },
    {},
    { at: NOW },
  ]) {
    t.equal(code(member(), value), 'CHK_FRESH_UNKNOWN', JSON.stringify(value));
  }
  t.equal(code(member('epoch_s'), { at: NOW / 1000 - 30 }), undefined);
  t.equal(code(member('epoch_s'), { at: String(NOW / 1000) }), undefined);
  t.equal(
    code(member('epoch_s'), { at: NOW }),
    'CHK_FRESH_UNKNOWN',
    'milliseconds where seconds are declared',
  );
  t.equal(code(member('epoch_ms'), { at: NOW - 61_000 }), 'CHK_FRESH_STALE');
  t.equal(code(member('epoch_ms'), { at: -1 }), 'CHK_FRESH_UNKNOWN');

  const date: CheckDefinition = { id: 'd', fresh: { header: 'date', within: '60s' } };
  t.equal(code(date, null, { date: 'Tue, 01 Dec 2026 11:59:30 GMT' }), undefined);
  t.equal(code(date, null, { date: 'Tue, 01 Dec 2026 11:58:30 GMT' }), 'CHK_FRESH_STALE');
  t.equal(code(date, null, { date: 'Tue, 01 Dec 2026 12:00:06 GMT' }), 'CHK_FRESH_FUTURE');
  t.equal(code(date, null, { date: 'tomorrow' }), 'CHK_FRESH_UNKNOWN');
  t.equal(code(date, null), 'CHK_FRESH_UNKNOWN');
  const age: CheckDefinition = { id: 'a', fresh: { header: 'age', within: '60s' } };
  t.equal(code(age, null, { age: '60' }), undefined);
  t.equal(code(age, null, { age: '61' }), 'CHK_FRESH_STALE');
  for (const text of ['-1', '1.5', 'soon', ''])
    t.equal(code(age, null, { age: text }), 'CHK_FRESH_UNKNOWN', text);
});

t.test('reads', async (t) => {
  const result = compiled({ id: 'x', each: '/items', bind: '/owner', equals: '{request.params.owner}' });
  t.equal(result.reads.length, 1);
  t.strictSame(result.reads[0]?.map(String), ['items', 'Symbol(item)', 'owner']);
  t.strictSame(compiled({ id: 'x', fresh: { from: '/a/b', within: '1s' } }).reads, [['a', 'b']]);
  t.strictSame(compiled({ id: 'x', fresh: { header: 'date', within: '1s' } }).reads, []);
});

t.test('mistakes are problems at load', async (t) => {
  const at = '/responses/0/checks/0';
  t.strictSame(problems({ id: 'x', bind: 'id', equals: '{request.params.number}' }), [
    [`${at}/bind`, 'check-bind'],
  ]);
  t.strictSame(problems({ id: 'x', bind: 'request.id', equals: '{request.id}' }), [
    [`${at}/bind`, 'check-bind'],
  ]);
  t.strictSame(problems({ id: 'x', bind: '/id' }), [[`${at}/bind`, 'check-bind']]);
  t.strictSame(problems({ id: 'x', bind: '/id', equals: 'a', ends_with: 'b' }), [
    [`${at}/bind`, 'check-bind'],
  ]);
  for (const equals of [
    'constant',
    '{request.params.nubmer}',
    '{/id}',
    '{header:date}',
    '{x',
    'x}',
    '{{request.id}}',
    '{}',
    '{request.params.number}{request.params.number}',
    'a-{request.params.number}{request.id}',
  ]) {
    t.strictSame(problems({ id: 'x', bind: '/id', equals }), [[`${at}/equals`, 'check-bind']], equals);
  }
  t.strictSame(problems({ id: 'x', bind: '/id', ends_with: '{request.params.number}' }), [
    [`${at}/ends_with`, 'check-bind'],
  ]);
  t.strictSame(problems({ id: 'x', each: 'items', bind: '/id', equals: '{request.id}' }), [
    [`${at}/each`, 'check-bind'],
  ]);
  t.strictSame(problems({ id: 'x', each: '/items', bind: 'header:etag', equals: '{request.id}' }), [
    [`${at}/each`, 'check-bind'],
  ]);
  t.strictSame(problems({ id: 'x', fresh: { within: '60s' } }), [[`${at}/fresh`, 'check-fresh']]);
  t.strictSame(problems({ id: 'x', fresh: { header: 'date', from: '/a', within: 'soon', skew: '?' } }), [
    [`${at}/fresh/within`, 'check-fresh'],
    [`${at}/fresh/skew`, 'check-fresh'],
    [`${at}/fresh`, 'check-fresh'],
  ]);
  t.strictSame(problems({ id: 'x', fresh: { header: 'date', format: 'epoch_s', within: '1s' } }), [
    [`${at}/fresh/format`, 'check-fresh'],
  ]);
  t.strictSame(problems({ id: 'x' } as CheckDefinition), [[at, 'check-kind']]);
  const good: CheckDefinition = { id: 'x', bind: '/id', equals: '{request.id}' };
  t.strictSame(problems(good, good), [['/responses/0/checks/1/id', 'check-id']]);
});

t.test('an undeclared placeholder names the part that was meant', async (t) => {
  const message = (equals: string) => {
    const made = compileChecks(definition({ id: 'x', bind: '/id', equals }));
    return 'problems' in made ? made.problems[0]?.message : undefined;
  };
  t.match(message('{request.params.nubmer}'), '(did you mean {request.params.number}?)');
  t.match(message('{request.query.number}'), '(did you mean {request.params.number}?)');
  t.notMatch(message('{request.params.elsewhere}'), 'did you mean');
});
