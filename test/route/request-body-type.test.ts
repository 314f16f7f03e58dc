import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import { playUpstream } from '../support/tcp-upstream.js';

const CONTRACT: ContractDefinition = {
  ...THING,
  request: {
    ...THING.request,
    body: {
      media_type: 'application/json',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['a'],
        properties: { a: { type: 'integer' } },
      },
    },
  },
};

t.test(
  "a vendor's own name for JSON is JSON, and leaves as JSON; what says more of it is refused",
  async (t) => {
    const body = '{"id":1,"name":"a"}';
    const upstream = await playUpstream([
      {
        send: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      },
    ]);
    t.teardown(() => upstream.close());
    const { call, close } = harness([planOf({ origin: upstream.url, contract: CONTRACT, method: 'POST' })]);
    t.teardown(close);
    const cases: [string, string | null][] = [
      ['application/json', null],
      ['Application/Vnd.Elasticsearch+JSON; compatible-with=9', null],
      ['application/vnd.api+json; charset=utf-8', null],
      ['application/vnd.api+json; charset=latin1', 'REQ_BODY_MEDIA_TYPE'],
      ['application/vnd.api+xml', 'REQ_BODY_MEDIA_TYPE'],
      ['application/vnd.elasticsearch+x-ndjson', 'REQ_BODY_MEDIA_TYPE'],
      ['application/merge-patch+json', 'REQ_BODY_MEDIA_TYPE'],
      ['application/json-patch+json', 'REQ_BODY_MEDIA_TYPE'],
      ['application/problem+json', 'REQ_BODY_MEDIA_TYPE'],
      ['text/vnd.api+json', 'REQ_BODY_MEDIA_TYPE'],
    ];
    for (const [type, code] of cases) {
      const before = upstream.requests.length;
      const { record } = await call('/things/1', {
        method: 'POST',
        headers: [['content-type', type]],
        body: Buffer.from('{ "a": 1 }'),
      });
      t.equal(record.operator_code, code, type);
      const sent = upstream.requests.slice(before).map(String);
      t.equal(sent.length, code === null ? 1 : 0);
      for (const request of sent)
        t.match(request, /\r\ncontent-type: application\/json\r\n[\s\S]*\{"a":1\}$/i);
    }
  },
);
