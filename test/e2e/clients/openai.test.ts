import OpenAI from 'openai';
import t, { type Test } from 'tap';
import type { ContractDefinition } from '../../../src/contract/index.js';
import {
  AGENT_TOKEN,
  assertClean,
  CANARY,
  closed,
  count,
  flag,
  list,
  open,
  refused,
  setUp,
  slug,
  text,
} from './sidecar.js';

const model = { enum: ['gpt-small', 'gpt-drift'] };
const choice = {
  index: count,
  finish_reason: { const: 'stop' },
  message: { role: { const: 'assistant' }, content: text(200) },
};

const COMPLETION: ContractDefinition = {
  tool: 'completion',
  version: '1.0.0',
  purpose: 'One short answer of a model.',
  request: {
    body: {
      media_type: 'application/json',
      required: true,
      schema: closed({
        model,
        messages: list(10, closed({ role: { enum: ['system', 'user'] }, content: text(2_000) })),
      }),
    },
  },
  responses: [
    {
      status: 200,
      schema: open({
        object: { const: 'chat.completion' },
        model,
        choices: { type: 'array', items: open({ ...choice, message: open(choice.message) }) },
      }),
      select: {
        object: '/object',
        model: '/model',
        choices: {
          each: '/choices',
          max: 1,
          select: {
            index: '/index',
            finish_reason: '/finish_reason',
            message: { object: { role: '/message/role', content: '/message/content' } },
          },
        },
      },
      checks: [{ id: 'same_model', bind: '/model', equals: '{request.body/model}' }],
    },
  ],
  result: closed({
    object: { const: 'chat.completion' },
    model,
    choices: list(1, closed({ ...choice, message: closed(choice.message) })),
  }),
};

const FILES: ContractDefinition = {
  tool: 'files',
  version: '1.0.0',
  purpose: 'Which files there are.',
  request: { query: { limit: { type: 'integer', minimum: 1, maximum: 100 }, after: slug } },
  responses: [
    {
      status: 200,
      schema: open({ data: { type: 'array', items: open({ id: slug, bytes: count }) }, has_more: flag }),
      select: {
        data: { each: '/data', max: 100, select: { id: '/id', bytes: '/bytes' } },
        has_more: '/has_more',
      },
    },
  ],
  result: closed({ data: list(100, closed({ id: slug, bytes: count })), has_more: flag }),
};

function vendor({ target, body }: { readonly target: string; readonly body: string }) {
  const { pathname, searchParams } = new URL(target, 'http://vendor.invalid');
  const headers = { 'openai-organization': CANARY, 'x-request-id': CANARY };
  if (pathname === '/files' && searchParams.get('after') === 'down') {
    return { status: 500, headers, json: { error: { message: CANARY } } };
  }
  if (pathname === '/files') {
    const after = Number(searchParams.get('after')?.slice(5) ?? 0);
    const data = [1, 2].map((n) => ({ id: `file-${after + n}`, bytes: n, filename: CANARY }));
    return { headers, json: { object: 'list', data, has_more: after === 0, [CANARY]: 1 } };
  }
  const { model } = JSON.parse(body) as { model: string };
  const message = { role: 'assistant', content: 'Paris.', refusal: null, annotations: [CANARY] };
  const finish_reason = model === 'gpt-drift' ? CANARY : 'stop';
  const choices = [{ index: 0, message, logprobs: CANARY, finish_reason }];
  return {
    headers,
    json: { id: CANARY, object: 'chat.completion', created: 1, model, choices, usage: { total_tokens: 9 } },
  };
}

async function start(t: Test, apiKey = AGENT_TOKEN, more = {}) {
  const running = await setUp(t, { section: 'OpenAI', contracts: [COMPLETION, FILES], vendor });
  return { running, openai: new OpenAI({ apiKey, baseURL: `${running.url}/openai`, ...more }) };
}

const ask = (openai: OpenAI, model: string) => () =>
  openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Capital of France?' }] });

t.test('a completion, pruned', async (t) => {
  const { running, openai } = await start(t);
  const completion = await ask(openai, 'gpt-small')();
  t.same(completion, {
    object: 'chat.completion',
    model: 'gpt-small',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Paris.' } }],
  });
  t.equal(completion.choices[0]?.message.content, 'Paris.');
  t.equal(
    running.calls[0]?.body,
    '{"model":"gpt-small","messages":[{"role":"user","content":"Capital of France?"}]}',
  );
  assertClean(t, completion, running.calls);
});

t.test('pages are turned by the client, on the sidecar', async (t) => {
  const { running, openai } = await start(t);
  const ids: string[] = [];
  for await (const { id } of openai.files.list({ limit: 2 })) ids.push(id);
  t.same(ids, ['file-1', 'file-2', 'file-3', 'file-4']);
  t.same(
    running.calls.map(({ target }) => target),
    ['/files?limit=2', '/files?limit=2&after=file-2'],
  );
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, openai } = await start(t);
  const cases = [
    // What was asked of the model may have been done: its answer alone is refused.
    [ask(openai, 'gpt-drift'), { operator: 'CON_NO_ALTERNATIVE', agent: 'OUTCOME_UNKNOWN' }, 422],
    [ask(openai, 'gpt-none'), { operator: 'REQ_BODY_INVALID', agent: 'INVALID_REQUEST', asked: 0 }, 400],
    [() => openai.models.list(), { operator: 'REQ_NO_ROUTE', agent: 'INVALID_REQUEST', asked: 0 }, 404],
  ] as const;
  for (const [ask, refusal, status] of cases) {
    const error = await refused(t, running, ask, refusal);
    if (!(error instanceof OpenAI.APIError)) throw error;
    t.equal(error.status, status);
    t.equal(error.code, refusal.agent);
    t.equal(error.message, `${status} ${refusal.agent}`);
  }
});

t.test('an upstream that is down, repeats left to the sidecar', async (t) => {
  const { running, openai } = await start(t, AGENT_TOKEN, { maxRetries: 0 });
  const down = { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' } as const;
  const error = await refused(t, running, async () => openai.files.list({ after: 'down' }), down);
  t.match(error, { status: 503, code: 'UPSTREAM_UNAVAILABLE' });
});

t.test('a wrong key', async (t) => {
  const { running, openai } = await start(t, 'sk-other');
  const denied = { operator: 'REQ_UNAUTHENTICATED', agent: 'DENIED', asked: 0 } as const;
  const error = await refused(t, running, ask(openai, 'gpt-small'), denied);
  t.ok(error instanceof OpenAI.AuthenticationError);
});
