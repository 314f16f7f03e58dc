import t from 'tap';
import { badHeader, type ResponseDefinition } from '../../src/contract/index.js';
import { Fault } from '../../src/fault/index.js';
import { ResponseHeaders } from '../../src/upstream/index.js';
import { BASE, callContext, closed, contractOf, troubles } from './support.js';

const first = BASE.responses[0] as ResponseDefinition;

function respond(more: Partial<ResponseDefinition>, result?: object): Parameters<typeof contractOf>[0] {
  return { responses: [{ ...first, ...more }], ...(result === undefined ? {} : { result: result as never }) };
}

/** What select gives of `answer` with these headers: data, or `CODE schema`. */
function selected(
  parts: Parameters<typeof contractOf>[0],
  answer: unknown,
  headers: readonly (readonly [string, string])[] = [],
): unknown {
  const [alternative] = contractOf(parts).alternatives;
  if (alternative?.outcome.kind !== 'select') throw new Error('no select');
  const made = alternative.outcome.select(answer, callContext({}, headers));
  return made instanceof Fault ? `${made.code} ${made.detail.schema}` : made.data;
}

t.test('header: with a declared type', async (t) => {
  const typed = (type: string, result: object) =>
    respond({ headers: { 'x-n': { type } }, select: { name: 'header:x-n' } }, closed({ name: result }));
  const integer = typed('integer', { type: 'integer', minimum: 0, maximum: 99 });
  t.same(selected(integer, {}, [['x-n', '12']]), { name: 12 });
  for (const text of ['1.5', '012', '+1', ' 1', '1e1', '', 'x', '9007199254740993']) {
    t.equal(selected(integer, {}, [['x-n', text]]), 'SEL_TYPE /responses/0/select/name', text);
  }
  t.equal(selected(integer, {}, []), 'SEL_MISSING /responses/0/select/name');
  t.equal(
    selected(integer, {}, [
      ['x-n', '1'],
      ['x-n', '1'],
    ]),
    'SEL_TYPE /responses/0/select/name',
    'twice',
  );
  t.same(selected(typed('boolean', { type: 'boolean' }), {}, [['x-n', 'true']]), { name: true });
  t.same(selected(typed('number', { type: 'number', minimum: 0, maximum: 9 }), {}, [['x-n', '1.5']]), {
    name: 1.5,
  });
  t.same(
    troubles(typed('integer', { type: 'string', maxLength: 9 })),
    ['result-type /responses/0/select/name'],
    'the type is compared with the result',
  );
  t.same(
    troubles(
      respond(
        { select: { name: 'header:x-n' } },
        closed({ name: { type: 'integer', minimum: 0, maximum: 9 } }),
      ),
    ),
    ['result-type /responses/0/select/name'],
    'without a declaration it is text',
  );
});

t.test('declared headers are checked', async (t) => {
  const [alternative] = contractOf(
    respond({
      headers: {
        etag: { type: 'string', pattern: '^"[a-z0-9]{1,8}"$' },
        'x-n': { type: 'integer', maximum: 9 },
      },
      required_headers: ['x-n'],
    }),
  ).alternatives;
  const rules = alternative?.headers ?? new Map();
  const fault = (...lines: [string, string][]) => {
    const bad = badHeader(rules, new ResponseHeaders(lines), 0);
    return bad && `${bad.code} ${bad.detail.rule} ${bad.detail.schema} ${bad.detail.note ?? ''}`.trim();
  };
  t.equal(fault(['x-n', '9']), undefined);
  t.equal(fault(['etag', '"a1"'], ['x-n', '9']), undefined);
  t.equal(fault(), 'CON_HEADER x-n /responses/0/headers/x-n missing');
  t.equal(fault(['x-n', '1'], ['x-n', '1']), 'CON_HEADER x-n /responses/0/headers/x-n repeated');
  t.equal(fault(['x-n', 'a']), 'CON_HEADER x-n /responses/0/headers/x-n not of type integer');
  t.equal(fault(['x-n', '10']), 'CON_HEADER x-n /responses/0/headers/x-n/maximum');
  t.equal(fault(['x-n', '1'], ['etag', 'W/"a"']), 'CON_HEADER etag /responses/0/headers/etag/pattern');
  t.equal(
    fault(['x-n', '1'], ['etag', '"\u00e9"']),
    'CON_HEADER etag /responses/0/headers/etag not of type string',
  );
});

t.test('header declarations that do not load', async (t) => {
  const refused = (more: Partial<ResponseDefinition>) => troubles(respond(more));
  t.same(refused({ headers: { 'x-n': { type: 'object', properties: {} } } }), [
    'parameter-type /responses/0/headers/x-n',
  ]);
  t.same(refused({ headers: { 'x-n': { type: ['string', 'integer'] } } }), [
    'parameter-type /responses/0/headers/x-n',
  ]);
  t.same(refused({ headers: { 'set-cookie': { type: 'string' } } }), [
    'secret-header /responses/0/headers/set-cookie',
  ]);
  t.same(refused({ required_headers: ['x-n'] }), ['undeclared /responses/0/required_headers/0']);
  t.same(refused({ select: { name: 'header:set-cookie' } }), ['secret-header /responses/0/select/name']);
  t.same(refused({ select: { name: 'header:www-authenticate' } }), [
    'secret-header /responses/0/select/name',
  ]);
});

t.test('link: a parameter of the link to another page', async (t) => {
  const parts = respond(
    { select: { name: { from: 'link:next?page', convert: 'integer', optional: true } } },
    closed({ name: { type: 'integer', minimum: 1, maximum: 999 } }, []),
  );
  const optional = { ...parts, result: { ...(parts.result as object), required: ['other'] } };
  t.ok(troubles(optional).length > 0, 'the result is still compared');
  const maybe = respond(
    {
      select: {
        name: { from: 'request.params.owner' },
        page: { from: 'link:next?page', convert: 'integer', optional: true },
      },
    },
    closed({ name: { type: 'string', maxLength: 9 }, page: { type: 'integer', minimum: 1, maximum: 999 } }, [
      'name',
    ]),
  );
  const page = (...lines: string[]) => {
    const data = selected(
      maybe,
      {},
      lines.map((line) => ['link', line] as const),
    );
    return typeof data === 'string' ? data : ((data as { page?: number }).page ?? 'none');
  };
  t.equal(page(), 'none');
  t.equal(page('<https://a.example/?page=2&per_page=5>; rel="next"'), 2);
  t.equal(page('<?page=7>; rel=prev', '<?a&page=%38#x>; rel="next last"'), 8);
  t.equal(page('<?page=7>; rel=prev'), 'none');
  t.equal(page('<?page=2>; anchor="/other"; rel=next'), 'none', 'about another resource');
  for (const line of [
    '<?p=2>; rel=next',
    '</x>; rel=next',
    '<?page=2&page=3>; rel=next',
    '<?page=%zz>; rel=next',
    '<?page=%ff>; rel=next',
    'junk',
    '<?page=2>; rel=next, <?page=3>; rel=next',
  ]) {
    t.equal(page(line), 'SEL_TYPE /responses/0/select/page', line);
  }
  t.equal(page('<?page=x>; rel=next'), 'SEL_CONVERT /responses/0/select/page/convert');
});

const list = { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 9 } };

t.test('cursor: the whole page, and what tells of further ones', async (t) => {
  const parts = respond(
    {
      schema: { type: 'object', properties: { next: { type: 'string' } } },
      select: {
        items: { each: '/items', cursor: 'next', item: '' },
        next: { from: '/next', optional: true },
      },
    },
    closed({ items: list, next: { type: 'string', maxLength: 20 } }, ['items']),
  );
  t.same(selected(parts, { items: ['a', 'b'], next: 'c2' }), { items: ['a', 'b'], next: 'c2' });
  t.same(
    selected(parts, { items: ['a'], next: null }),
    { items: ['a'], next: null },
    'null is a value, and the result schema has to take it',
  );
  t.same(selected(parts, { items: [] }), { items: [] });
});

t.test('an array says what becomes of further items', async (t) => {
  const items = (each: object, more: object = {}) =>
    troubles(
      respond(
        {
          schema: { type: 'object' },
          select: { items: { each: '/items', item: '', ...each }, ...more } as never,
        },
        closed(
          {
            items: list,
            next: { type: 'string', maxLength: 20 },
            total: { type: 'integer', minimum: 0, maximum: 9 },
          },
          ['items'],
        ),
      ),
    );
  const next = { next: { from: '/next', optional: true } };
  t.same(items({ max: 3 }), []);
  t.same(items({ take: 3, total: 'total' }), []);
  t.same(items({ cursor: 'next' }, next), []);
  t.same(items({ cursor: 'next' }, { next: { from: 'link:next?page', optional: true } }), []);
  t.same(items({ cursor: 'next' }, { next: { from: 'header:x-next', optional: true } }), []);
  t.same(items({}), ['max-or-take /responses/0/select/items']);
  t.same(items({ max: 3, cursor: 'next' }, next), ['max-or-take /responses/0/select/items']);
  t.same(items({ take: 3, total: 'total', cursor: 'next' }, next), ['max-or-take /responses/0/select/items']);
  t.same(items({ cursor: 'nxt' }, next), ['cursor /responses/0/select/items/cursor']);
  t.same(items({ cursor: 'items' }), ['cursor /responses/0/select/items/cursor']);
  t.same(items({ cursor: 'toString' }), ['cursor /responses/0/select/items/cursor']);
  t.same(
    items({ cursor: 'next' }, { next: { object: { a: '/a' } } }).filter((one) => one.startsWith('cursor')),
    ['cursor /responses/0/select/items/cursor'],
  );
  t.same(items({ cursor: 'next' }, { next: { from: '/next', text: 'display', max_length: 9 } }), [
    'cursor /responses/0/select/items/cursor',
  ]);
  t.same(items({ cursor: 'next' }, { next: 'request.params.owner' }), [
    'cursor /responses/0/select/items/cursor',
  ]);
  t.same(
    troubles(respond({ schema: { type: 'array' }, select: { each: '', cursor: 'next', item: '' } }, list)),
    ['cursor /responses/0/select/cursor'],
  );
});

t.test('links that do not load', async (t) => {
  t.same(troubles(respond({ links: 'rewrite' })), []);
  t.same(
    troubles({
      ...respond({ links: 'rewrite' }),
      request: BASE.request && { params: BASE.request.params ?? {} },
    }),
    ['links /responses/0/links'],
  );
  const { select: _, ...failure } = { ...first, failure: 'NOT_FOUND' as const, links: 'rewrite' as const };
  t.same(troubles({ responses: [first, { ...failure, status: 404 }] }), ['links /responses/1/links']);
});
