import { ApiException, CoreV1Api, KubeConfig, type V1Pod } from '@kubernetes/client-node';
import t, { type Test } from 'tap';
import type { ContractDefinition } from '../../../src/contract/index.js';
import { AGENT_TOKEN, assertClean, CANARY, closed, list, open, refused, setUp } from './sidecar.js';

const name = { type: 'string', pattern: '^[a-z0-9-]{1,63}$' };
const phase = { enum: ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] };
const podMembers = { metadata: open({ name, namespace: name }), status: open({ phase }) };
const podFields = {
  metadata: { object: { name: '/metadata/name', namespace: '/metadata/namespace' } },
  status: { object: { phase: '/status/phase' } },
};
const podResult = { metadata: closed({ name, namespace: name }), status: closed({ phase }) };

const POD: ContractDefinition = {
  tool: 'pod',
  version: '1.0.0',
  purpose: 'Whether a pod runs.',
  request: { params: { namespace: name, name } },
  responses: [
    {
      status: 200,
      schema: open({ kind: { const: 'Pod' }, apiVersion: { const: 'v1' }, ...podMembers }),
      select: { kind: '/kind', apiVersion: '/apiVersion', ...podFields },
      checks: [
        { id: 'same_name', bind: '/metadata/name', equals: '{request.params.name}' },
        { id: 'same_namespace', bind: '/metadata/namespace', equals: '{request.params.namespace}' },
      ],
    },
    { status: 404, failure: 'NOT_FOUND' },
  ],
  result: closed({ kind: { const: 'Pod' }, apiVersion: { const: 'v1' }, ...podResult }),
};

const version = { type: 'string', pattern: '^[0-9]{1,20}$' };
const cursor = { type: 'string', pattern: '^[A-Za-z0-9_-]{0,256}$' };
const PODS: ContractDefinition = {
  tool: 'pods',
  version: '1.0.0',
  purpose: 'Which pods run in a namespace.',
  request: {
    params: { namespace: name },
    query: { limit: { type: 'integer', minimum: 1, maximum: 50 }, continue: cursor },
  },
  responses: [
    {
      status: 200,
      schema: {
        type: 'object',
        required: ['kind', 'metadata', 'items'],
        properties: {
          kind: { const: 'PodList' },
          metadata: {
            type: 'object',
            required: ['resourceVersion'],
            properties: { resourceVersion: version, continue: cursor },
          },
          items: { type: 'array', items: open(podMembers) },
        },
      },
      select: {
        kind: '/kind',
        metadata: {
          object: {
            resourceVersion: '/metadata/resourceVersion',
            continue: { from: '/metadata/continue', optional: true },
          },
        },
        items: { each: '/items', max: 50, select: podFields },
      },
    },
  ],
  result: closed({
    kind: { const: 'PodList' },
    metadata: closed({ resourceVersion: version, continue: cursor }, ['continue']),
    items: list(50, closed(podResult)),
  }),
};

const pod = (name: string, namespace: string, phase: string) => ({
  metadata: { name, namespace, uid: CANARY, annotations: { [CANARY]: CANARY } },
  spec: { nodeName: CANARY, containers: [{ name: 'app', env: [{ name: 'KEY', value: CANARY }] }] },
  status: { phase, message: CANARY },
});

function vendor({ target }: { readonly target: string }) {
  const { pathname, searchParams } = new URL(target, 'http://vendor.invalid');
  const [, , , , namespace = '', , found] = pathname.split('/');
  if (found === undefined) {
    const isLast = searchParams.get('continue') === 'page2';
    const names = isLast ? ['c'] : ['a', 'b'];
    const metadata = { resourceVersion: '81', selfLink: CANARY, ...(isLast ? {} : { continue: 'page2' }) };
    const items = names.map((name) => pod(name, namespace, 'Running'));
    return { json: { kind: 'PodList', apiVersion: 'v1', metadata, items } };
  }
  if (found === 'down') return { status: 500, json: { kind: 'Status', message: CANARY } };
  if (found === 'gone') {
    return { status: 404, json: { kind: 'Status', status: 'Failure', message: CANARY, reason: 'NotFound' } };
  }
  const phase = found === 'drift' ? CANARY : 'Running';
  return {
    json: { kind: 'Pod', apiVersion: 'v1', ...pod(found === 'other' ? 'mine' : found, namespace, phase) },
  };
}

async function start(t: Test, token = AGENT_TOKEN) {
  const running = await setUp(t, { section: 'Kubernetes', contracts: [POD, PODS], vendor });
  const config = new KubeConfig();
  config.loadFromOptions({
    // The client takes http:// only with this.
    clusters: [{ name: 'c', server: running.ownUrl, skipTLSVerify: true }],
    users: [{ name: 'agent', token }],
    contexts: [{ name: 'x', cluster: 'c', user: 'agent' }],
    currentContext: 'x',
  });
  return { running, api: config.makeApiClient(CoreV1Api) };
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

t.test('a pod, pruned', async (t) => {
  const { running, api } = await start(t);
  const found: V1Pod = await api.readNamespacedPod({ name: 'web', namespace: 'shop' });
  t.same(plain(found), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop' },
    status: { phase: 'Running' },
  });
  t.equal(found.status?.phase, 'Running');
  t.equal(running.calls[0]?.target, '/api/v1/namespaces/shop/pods/web');
  assertClean(t, found, running.calls);
});

t.test('pages by the cursor in the answer', async (t) => {
  const { running, api } = await start(t);
  const names: (string | undefined)[] = [];
  let next: string | undefined;
  do {
    const page = await api.listNamespacedPod({
      namespace: 'shop',
      limit: 2,
      ...(next === undefined ? {} : { _continue: next }),
    });
    names.push(...page.items.map(({ metadata }) => metadata?.name));
    next = page.metadata?._continue;
  } while (next !== undefined);
  t.same(names, ['a', 'b', 'c']);
  t.same(
    running.calls.map(({ target }) => target),
    ['/api/v1/namespaces/shop/pods?limit=2', '/api/v1/namespaces/shop/pods?limit=2&continue=page2'],
  );
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, api } = await start(t);
  const read = (name: string) => () => api.readNamespacedPod({ name, namespace: 'shop' });
  const cases = [
    [read('drift'), { operator: 'CON_NO_ALTERNATIVE', agent: 'INVALID_RESPONSE' }, 422],
    [read('other'), { operator: 'CHK_BIND', agent: 'INVALID_RESPONSE' }, 422],
    [read('gone'), { operator: 'CON_DECLARED_FAILURE', agent: 'NOT_FOUND' }, 404],
    [read('down'), { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' }, 503],
    [
      () => api.listNamespacedSecret({ namespace: 'shop' }),
      { operator: 'REQ_NO_ROUTE', agent: 'INVALID_REQUEST', asked: 0 },
      404,
    ],
  ] as const;
  for (const [ask, refusal, status] of cases) {
    const error = await refused(t, running, ask, refusal);
    if (!(error instanceof ApiException)) throw error;
    t.equal(error.code, status);
    t.match(JSON.parse(String(error.body)), { kind: 'Status', status: 'Failure', reason: refusal.agent });
  }
});

t.test('a wrong token', async (t) => {
  const { running, api } = await start(t, 'other');
  const denied = { operator: 'REQ_UNAUTHENTICATED', agent: 'DENIED', asked: 0, bodyless: true } as const;
  const ask = () => api.readNamespacedPod({ name: 'web', namespace: 'shop' });
  t.equal((await refused(t, running, ask, denied)).code, 401);
});
