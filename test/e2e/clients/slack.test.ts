import { type ConversationsListResponse, ErrorCode, WebClient } from '@slack/web-api';
import t, { type Test } from 'tap';
import type { ContractDefinition, ResponseDefinition } from '../../../src/contract/index.js';
import {
  AGENT_TOKEN,
  assertClean,
  CANARY,
  closed,
  flag,
  list,
  open,
  refused,
  setUp,
  text,
  type VendorCall,
} from './sidecar.js';

const id = { type: 'string', pattern: '^[CG][A-Z0-9]{1,20}$' };
const ok = { const: true };

/** What Slack says with status 200 where it does not do it. */
const IN_BAND: ResponseDefinition = {
  status: 200,
  schema: open({ ok: { const: false }, error: text(64) }),
  failure: { by: '/error', map: { channel_not_found: 'NOT_FOUND', not_in_channel: 'DENIED' } },
};

const cursor = { type: 'string', pattern: '^[A-Za-z0-9=]{0,64}$' };
const channel = { id, name: text(80), is_archived: flag };
const CHANNELS: ContractDefinition = {
  tool: 'channels',
  version: '1.0.0',
  purpose: 'Which channels there are.',
  request: {
    body: {
      media_type: 'application/x-www-form-urlencoded',
      schema: closed({ limit: { type: 'integer', minimum: 1, maximum: 200 }, cursor }, ['cursor']),
    },
  },
  responses: [
    {
      status: 200,
      schema: open({
        ok,
        channels: { type: 'array', items: open(channel) },
        response_metadata: open({ next_cursor: cursor }),
      }),
      select: {
        ok: '/ok',
        channels: {
          each: '/channels',
          max: 200,
          select: { id: '/id', name: '/name', is_archived: '/is_archived' },
        },
        response_metadata: { object: { next_cursor: '/response_metadata/next_cursor' } },
      },
    },
    IN_BAND,
  ],
  result: closed({
    ok,
    channels: list(200, closed(channel)),
    response_metadata: closed({ next_cursor: cursor }),
  }),
};

const ts = { type: 'string', pattern: '^[0-9]{10}[.][0-9]{6}$' };
const POST_MESSAGE: ContractDefinition = {
  tool: 'post_message',
  version: '1.0.0',
  purpose: 'Says something in a channel.',
  request: {
    body: {
      media_type: 'application/x-www-form-urlencoded',
      required: true,
      schema: closed({ channel: id, text: text(500) }),
    },
  },
  responses: [
    {
      status: 200,
      schema: open({ ok, channel: id, ts }),
      select: { ok: '/ok', channel: '/channel', ts: '/ts' },
      checks: [{ id: 'same_channel', bind: '/channel', equals: '{request.body/channel}' }],
    },
    IN_BAND,
  ],
  result: closed({ ok, channel: id, ts }),
};

function vendor({ target, body }: VendorCall) {
  const headers = { 'x-oauth-scopes': CANARY, 'x-slack-req-id': CANARY };
  const form = new URLSearchParams(body);
  if (target === '/conversations.list') {
    if (form.get('limit') === '9') return { status: 503, headers, json: { ok: false, error: CANARY } };
    if (form.get('limit') === '8') return { headers, json: { ok: false, error: CANARY } };
    const isLast = form.get('cursor') === 'cGFnZTI=';
    const channels = (isLast ? ['C3'] : ['C1', 'C2']).map((id) => ({
      id,
      name: `room-${id}`,
      is_archived: false,
      topic: { value: CANARY },
    }));
    const response_metadata = { next_cursor: isLast ? '' : 'cGFnZTI=', messages: [CANARY] };
    return { headers, json: { ok: true, channels, response_metadata, warning: CANARY } };
  }
  const channel = form.get('channel');
  if (channel === 'CGONE') return { headers, json: { ok: false, error: 'channel_not_found', [CANARY]: 1 } };
  return {
    headers,
    json: {
      ok: true,
      channel: channel === 'COTHER' ? 'C1' : channel,
      ts: '1760000000.000100',
      message: { text: CANARY },
    },
  };
}

async function start(t: Test, token = AGENT_TOKEN) {
  const running = await setUp(t, { section: 'Slack', contracts: [CHANNELS, POST_MESSAGE], vendor });
  return { running, slack: new WebClient(token, { slackApiUrl: `${running.url}/slack/` }) };
}

t.test('a message, pruned', async (t) => {
  const { running, slack } = await start(t);
  const posted = await slack.chat.postMessage({ channel: 'C1', text: 'Fertig: 100 % & mehr' });
  t.same(posted, { ok: true, channel: 'C1', ts: '1760000000.000100', response_metadata: {} });
  t.same(
    running.calls.map(({ target, body }) => [target, body]),
    [['/chat.postMessage', 'channel=C1&text=Fertig%3A%20100%20%25%20%26%20mehr']],
  );
  assertClean(t, posted, running.calls);
});

t.test('pages are turned by the client, on the sidecar', async (t) => {
  const { running, slack } = await start(t);
  const names: string[] = [];
  for await (const page of slack.paginate('conversations.list', { limit: 2 })) {
    const { channels = [] } = page as ConversationsListResponse;
    for (const { name = '' } of channels) names.push(name);
  }
  t.same(names, ['room-C1', 'room-C2', 'room-C3']);
  t.same(
    running.calls.map(({ body }) => body),
    ['limit=2', 'limit=2&cursor=cGFnZTI%3D'],
  );
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, slack } = await start(t);
  const channels = (limit: number) => () => slack.conversations.list({ limit });
  const post = (channel: string) => () => slack.chat.postMessage({ channel, text: 'x' });
  const cases = [
    // A call that reads: what the route says in read_only.
    [channels(8), { operator: 'CON_UNMAPPED_FAILURE', agent: 'INVALID_RESPONSE' }],
    [channels(9), { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' }],
    // One that writes: the message may stand there.
    [post('COTHER'), { operator: 'CHK_BIND', agent: 'OUTCOME_UNKNOWN' }],
    [post('CGONE'), { operator: 'CON_DECLARED_FAILURE', agent: 'NOT_FOUND' }],
    [post('nobody'), { operator: 'REQ_BODY_INVALID', agent: 'INVALID_REQUEST', asked: 0 }],
    [() => slack.users.list({}), { operator: 'REQ_NO_ROUTE', agent: 'INVALID_REQUEST', asked: 0 }],
  ] as const;
  for (const [ask, refusal] of cases) {
    const error = await refused(t, running, ask, refusal);
    t.match(error, { code: ErrorCode.PlatformError, data: { ok: false, error: refusal.agent } });
    t.equal(error.message, `An API error occurred: ${refusal.agent}`);
  }
});

t.test('a wrong token', async (t) => {
  const { running, slack } = await start(t, 'xoxb-other');
  const denied = { operator: 'REQ_UNAUTHENTICATED', agent: 'DENIED', asked: 0 } as const;
  const error = await refused(t, running, () => slack.conversations.list({ limit: 1 }), denied);
  t.match(error, { data: { ok: false, error: 'DENIED' } });
});
