import Stripe from 'stripe';
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
  type Running,
  refused,
  setUp,
  slug,
  text,
  type VendorCall,
} from './sidecar.js';

const customerId = { type: 'string', pattern: '^cus_[A-Za-z0-9]{1,32}$' };

const CUSTOMER: ContractDefinition = {
  tool: 'customer',
  version: '1.0.0',
  purpose: 'How much a customer owes, and in what currency.',
  request: {
    params: { id: customerId },
    query: { 'expand[0]': { enum: ['subscriptions'] } },
  },
  responses: [
    {
      status: 200,
      schema: open({
        id: customerId,
        object: { const: 'customer' },
        balance: { type: 'integer', minimum: -1_000_000_000, maximum: 1_000_000_000 },
        currency: { type: ['string', 'null'], maxLength: 3 },
        livemode: flag,
      }),
      select: {
        id: '/id',
        object: '/object',
        balance: '/balance',
        currency: '/currency',
        livemode: '/livemode',
      },
      checks: [{ id: 'same_customer', bind: '/id', equals: '{request.params.id}' }],
    },
    { status: 404, failure: 'NOT_FOUND' },
  ],
  result: closed({
    id: customerId,
    object: { const: 'customer' },
    balance: { type: 'integer', minimum: -1_000_000_000, maximum: 1_000_000_000 },
    currency: { type: ['string', 'null'], maxLength: 3 },
    livemode: flag,
  }),
};

const CHARGES: ContractDefinition = {
  tool: 'charges',
  version: '1.0.0',
  purpose: 'The latest charges.',
  request: {
    query: { limit: { type: 'integer', minimum: 1, maximum: 100 }, starting_after: slug },
  },
  responses: [
    {
      status: 200,
      schema: open({
        object: { const: 'list' },
        has_more: flag,
        data: { type: 'array', items: open({ id: text(64), amount: count, paid: flag }) },
      }),
      select: {
        object: '/object',
        has_more: '/has_more',
        data: { each: '/data', max: 100, select: { id: '/id', amount: '/amount', paid: '/paid' } },
      },
    },
  ],
  result: closed({
    object: { const: 'list' },
    has_more: flag,
    data: list(100, closed({ id: text(64), amount: count, paid: flag })),
  }),
};

const CREATE_CUSTOMER: ContractDefinition = {
  tool: 'create_customer',
  version: '1.0.0',
  purpose: 'Makes a customer.',
  request: {
    body: {
      media_type: 'application/x-www-form-urlencoded',
      required: true,
      schema: closed(
        {
          name: text(80),
          balance: { type: 'integer', minimum: -10_000, maximum: 0 },
          metadata: closed({ order: slug }),
          preferred_locales: list(3, { enum: ['de', 'en', 'fr'] }),
        },
        ['metadata', 'preferred_locales'],
      ),
    },
    headers: { 'idempotency-key': { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' } },
  },
  responses: [
    {
      status: 200,
      schema: open({ id: customerId, object: { const: 'customer' }, balance: { type: 'integer' } }),
      select: { id: '/id', object: '/object', balance: '/balance' },
      checks: [{ id: 'same_balance', bind: '/balance', equals: '{request.body/balance}' }],
    },
  ],
  result: closed({
    id: customerId,
    object: { const: 'customer' },
    balance: { type: 'integer', minimum: -10_000, maximum: 0 },
  }),
};

const charge = (n: number) => ({
  id: `ch_${n}`,
  object: 'charge',
  amount: n * 100,
  paid: true,
  billing_details: { name: CANARY },
});

function vendor({ method, target, body }: VendorCall) {
  const url = new URL(target, 'http://vendor.invalid');
  if (method === 'POST') {
    const form = new URLSearchParams(body);
    const balance = form.get('name') === 'Drift' ? CANARY : Number(form.get('balance'));
    return { json: { id: 'cus_9', object: 'customer', balance, name: CANARY, invoice_prefix: CANARY } };
  }
  if (url.pathname === '/v1/charges') {
    const after = Number(url.searchParams.get('starting_after')?.slice(3) ?? 0);
    const data = [1, 2].map((n) => charge(after + n));
    return { json: { object: 'list', url: '/v1/charges', has_more: after === 0, data, [CANARY]: CANARY } };
  }
  const id = url.pathname.split('/').at(-1) ?? '';
  if (id === 'cus_down') return { status: 500, json: { error: { message: CANARY } } };
  if (id === 'cus_gone') {
    return { status: 404, json: { error: { code: 'resource_missing', message: `No such ${CANARY}` } } };
  }
  const balance = id === 'cus_drift' ? `${CANARY}` : -1500;
  return {
    headers: { 'request-id': CANARY },
    json: {
      id: id === 'cus_other' ? 'cus_1' : id,
      object: 'customer',
      balance,
      currency: 'eur',
      livemode: false,
      email: `${CANARY}@example.org`,
      metadata: { [CANARY]: CANARY },
    },
  };
}

function clientOf({ ownUrl }: Running, key = AGENT_TOKEN, more: Stripe.StripeConfig = {}): Stripe {
  const { hostname, port } = new URL(ownUrl);
  return new Stripe(key, { host: hostname, port, protocol: 'http', ...more });
}

const start = (t: Test) =>
  setUp(t, { section: 'Stripe', contracts: [CUSTOMER, CHARGES, CREATE_CUSTOMER], vendor });

t.test('a customer, pruned', async (t) => {
  const running = await start(t);
  const customer = await clientOf(running).customers.retrieve('cus_1', { expand: ['subscriptions'] });
  t.same(customer, { id: 'cus_1', object: 'customer', balance: -1500, currency: 'eur', livemode: false });
  t.equal(running.calls[0]?.target, '/v1/customers/cus_1?expand%5B0%5D=subscriptions');
  t.equal(running.records.length, 1);
  assertClean(t, [customer, customer.lastResponse], running.calls);
});

t.test('pages are turned by the client, on the sidecar', async (t) => {
  const running = await start(t);
  const amounts: number[] = [];
  for await (const { amount, paid } of clientOf(running).charges.list({ limit: 2 })) {
    if (paid) amounts.push(amount);
  }
  t.same(amounts, [100, 200, 300, 400]);
  t.same(
    running.calls.map(({ target }) => target),
    ['/v1/charges?limit=2', '/v1/charges?limit=2&starting_after=ch_2'],
  );
  t.equal(running.records.length, 2);
});

t.test('a customer is made once, and what may have been made is said', async (t) => {
  const running = await start(t);
  const stripe = clientOf(running);
  const made = await stripe.customers.create(
    { name: 'A & B', balance: -500, metadata: { order: 'o-1' }, preferred_locales: ['de', 'en'] },
    { idempotencyKey: 'key-1' },
  );
  t.same(made, { id: 'cus_9', object: 'customer', balance: -500 });
  const sent = running.calls[0];
  t.equal(
    sent?.body,
    'name=A%20%26%20B&balance=-500&metadata%5Border%5D=o-1&preferred_locales%5B0%5D=de&preferred_locales%5B1%5D=en',
  );
  t.equal(sent?.headers['content-type'], 'application/x-www-form-urlencoded');
  t.equal(sent?.headers['idempotency-key'], 'key-1');
  assertClean(t, [made, made.lastResponse], running.calls);
  const error = await refused(t, running, () => stripe.customers.create({ name: 'Drift', balance: 0 }), {
    operator: 'CON_NO_ALTERNATIVE',
    agent: 'OUTCOME_UNKNOWN',
  });
  t.match(error, { statusCode: 422, code: 'OUTCOME_UNKNOWN' });
});

t.test("refusals are the client's own errors", async (t) => {
  const running = await start(t);
  const stripe = clientOf(running);
  const cases = [
    ['cus_drift', { operator: 'CON_NO_ALTERNATIVE', agent: 'INVALID_RESPONSE' }, 422],
    ['cus_other', { operator: 'CHK_BIND', agent: 'INVALID_RESPONSE' }, 422],
    ['cus_gone', { operator: 'CON_DECLARED_FAILURE', agent: 'NOT_FOUND' }, 404],
    ['nobody', { operator: 'REQ_PARAM_INVALID', agent: 'INVALID_REQUEST', asked: 0 }, 400],
  ] as const;
  for (const [id, refusal, status] of cases) {
    const error = await refused(t, running, () => stripe.customers.retrieve(id), refusal);
    t.ok(error instanceof Stripe.errors.StripeError, id);
    t.match(error, { statusCode: status, message: refusal.agent, code: refusal.agent });
  }
  const patient = clientOf(running, AGENT_TOKEN, { maxNetworkRetries: 0 });
  const down = { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' } as const;
  const error = await refused(t, running, () => patient.customers.retrieve('cus_down'), down);
  t.match(error, { statusCode: 503, code: 'UPSTREAM_UNAVAILABLE' });
  const noRoute = await refused(t, running, () => stripe.products.retrieve('prod_1'), {
    operator: 'REQ_NO_ROUTE',
    agent: 'INVALID_REQUEST',
    asked: 0,
  });
  t.match(noRoute, { statusCode: 404, code: 'INVALID_REQUEST' });
  const stranger = clientOf(running, 'sk_other');
  const denied = await refused(t, running, () => stranger.customers.retrieve('cus_1'), {
    operator: 'REQ_UNAUTHENTICATED',
    agent: 'DENIED',
    asked: 0,
  });
  t.match(denied, { statusCode: 401, code: 'DENIED' });
});
