import t from 'tap';
import { Fault } from '../../../src/fault/index.js';
import { KEEP, type Projection } from '../../../src/json/index.js';
import {
  compileScanPlan,
  createPlannedScanner,
  createWasmScanner,
  scanWhole,
} from '../../../src/json/wasm/index.js';
import { Instance } from '../../../src/json/wasm/instance.js';
import { Pool } from '../../../src/json/wasm/pool.js';
import { createScanner } from '../oracle/scanner.js';
import { GENEROUS } from '../scan-support.js';
import { outcomeOf, run } from './differential.js';

const KEEP_ALL = compileScanPlan({ limits: GENEROUS, projection: KEEP });
const DOCUMENT = Buffer.from('{"a":[1,2,{"b":"c"}],"d":true}');

t.test('calls', async (t) => {
  const refused = createPlannedScanner(KEEP_ALL);
  const fault = refused.write(Buffer.from('[1,]'));
  t.ok(fault instanceof Fault);
  t.equal(refused.write(Buffer.from('[1]')), fault, 'the first fault is terminal');
  t.equal(refused.end(), fault);

  const accepted = createPlannedScanner(KEEP_ALL);
  t.equal(accepted.write(Buffer.from('[1')), undefined);
  t.equal(accepted.write(new Uint8Array()), undefined, 'an empty chunk changes nothing');
  t.equal(accepted.write(Buffer.from(']')), undefined);
  const result = accepted.end();
  t.equal(accepted.end(), result, 'end may be asked again');
  t.throws(() => accepted.write(Buffer.from(' ')), { message: 'write after end' });

  const never = createPlannedScanner(KEEP_ALL);
  t.match(never.end(), { code: 'PRS_EMPTY' });
});

t.test('the result of a stream is its own, that of a whole document until the next one', async (t) => {
  const scanner = createPlannedScanner(KEEP_ALL);
  scanner.write(DOCUMENT);
  const result = scanner.end();
  if (result instanceof Fault) throw new Error('refused');
  t.equal(result.kept.byteLength, result.kept.buffer.byteLength, 'a buffer of its own');

  const whole = scanWhole(Buffer.from('{"a":"é"}'), KEEP_ALL);
  if (whole instanceof Fault) throw new Error('refused');
  t.equal(whole.text, '{"a":"é"}');
  t.equal(whole.kind, 'object');
  run(createPlannedScanner(KEEP_ALL), DOCUMENT);
  t.equal(Buffer.from(whole.kept).toString(), '{"a":"é"}', 'streams have other memory');
});

t.test('streams side by side do not touch one another', async (t) => {
  const bodies = Array.from({ length: 20 }, (_, i) =>
    Buffer.from(JSON.stringify({ i, list: Array(i).fill({ i }) })),
  );
  const scanners = bodies.map(() => createPlannedScanner(KEEP_ALL));
  for (let at = 0; at < 1_000; at += 7) {
    for (const [i, body] of bodies.entries()) scanners[i]?.write(body.subarray(at, at + 7));
  }
  for (const [i, body] of bodies.entries()) {
    const result = scanners[i]?.end();
    t.equal(
      result instanceof Fault ? result.code : Buffer.from(result?.kept ?? []).toString(),
      body.toString(),
    );
  }
});

t.test('an instance is as good as new after every fault', async (t) => {
  const instance = new Instance();
  const bodies = [
    '[1,',
    '{"a":{"b":[{"c":x',
    '"\\ud8',
    '[1e',
    '{"a":1,"a":2}',
    '\xff',
    '["\xc3',
    '[tru',
    '',
    '\n\n{"a',
  ];
  for (const body of bodies) {
    instance.begin(KEEP_ALL);
    t.not(instance.write(Buffer.from(body, 'latin1')) || instance.end(), 0, body);
    instance.begin(KEEP_ALL);
    t.equal(instance.write(DOCUMENT) || instance.end(), 0);
    t.equal(Buffer.from(instance.kept).toString(), DOCUMENT.toString());
    // Given up in the middle.
    instance.begin(KEEP_ALL);
    instance.write(Buffer.from(body, 'latin1'));
  }
});

t.test('plans change from document to document, and come back', async (t) => {
  const instance = new Instance();
  const names = Array.from({ length: 200 }, (_, i) => `member_${i}`);
  const plans = names.map((name) => {
    // Each far too large for all of them to stay.
    const filler = Array.from({ length: 300 }, (_, i): [string, Projection] => [`${name}_${i}`, KEEP]);
    const projection: Projection = { members: new Map<string, Projection>([[name, KEEP], ...filler]) };
    return compileScanPlan({ limits: GENEROUS, projection });
  });
  const body = Buffer.from(`{${names.map((name, i) => `"${name}":${i}`).join(',')}}`);
  for (const round of [1, 2]) {
    for (const [i, plan] of plans.entries()) {
      instance.begin(plan);
      t.equal(instance.write(body) || instance.end(), 0);
      t.equal(Buffer.from(instance.kept).toString(), `{"member_${i}":${i}}`, `round ${round}`);
    }
  }
  t.ok(instance.memoryBytes <= 4 << 20, `${instance.memoryBytes} bytes of memory`);
});

t.test('a projection that refers to itself', async (t) => {
  const members = new Map<string, Projection>([['id', KEEP]]);
  const tree: Projection = { members, items: { members } };
  members.set('child', tree);
  members.set('children', tree);
  const options = { limits: GENEROUS, projection: tree };
  const body = Buffer.from('{"id":1,"x":2,"child":{"id":3,"children":[{"id":4,"y":5,"child":{"id":6}}]}}');
  t.same(run(createWasmScanner(options), body), run(createScanner(options), body));
});

t.test('the pool is bounded', async (t) => {
  const pool = new Pool();
  const taken = Array.from({ length: 40 }, () => pool.take());
  t.equal(new Set(taken).size, 40, 'as many as are needed at once');
  for (const instance of taken) {
    instance.begin(KEEP_ALL);
    instance.write(Buffer.from(`["${'x'.repeat(300_000)}"]`));
    t.equal(instance.end(), 0);
    pool.giveBack(instance);
  }
  const bytes = taken[0]?.memoryBytes ?? 0;
  t.ok(bytes > 1_000_000);
  t.equal(pool.idle, Math.floor((32 << 20) / bytes), 'not so many when they are not');
  t.ok(taken.includes(pool.take()), 'one of those that came back');

  const idle = pool.idle;
  const large = pool.take();
  large.begin(KEEP_ALL);
  large.write(Buffer.from(`["${'x'.repeat(3 << 20)}"]`));
  t.equal(large.end(), 0);
  pool.giveBack(large);
  t.equal(pool.idle, idle - 1, 'one that has grown is not kept');
});

t.test('the pool shrinks after a burst', async (t) => {
  const pool = new Pool();
  const burst = Array.from({ length: 10 }, () => pool.take());
  for (const instance of burst) pool.giveBack(instance);
  t.equal(pool.idle, 10);
  const scan = (): void => {
    const both = [pool.take(), pool.take()];
    for (const instance of both) pool.giveBack(instance);
  };
  for (let i = 0; i < 1_000; i++) scan();
  t.equal(pool.idle, 2, 'as many as are needed at once');
  for (let i = 0; i < 1_000; i++) scan();
  t.equal(pool.idle, 2);
  t.ok(burst.includes(pool.take()));
});

/** No body makes an instance throw; this stands for what nobody thought of. */
const BROKEN = {
  length: 100_000,
  subarray() {
    throw new Error('no bytes');
  },
} as unknown as Uint8Array;

t.test('an instance that has thrown is not used again', async (t) => {
  const scanner = createPlannedScanner(KEEP_ALL);
  scanner.write(Buffer.from('[1'));
  t.throws(() => scanner.write(BROKEN), { message: 'no bytes' });
  t.throws(() => scanner.write(Buffer.from(']')), { message: 'the scanner has thrown before' });
  t.throws(() => scanner.end(), { message: 'the scanner has thrown before' });

  t.throws(() => scanWhole(BROKEN, KEEP_ALL), { message: 'no bytes' });
  t.same(
    outcomeOf(scanWhole(DOCUMENT, KEEP_ALL)),
    run(createPlannedScanner(KEEP_ALL), DOCUMENT),
    'a new one is',
  );
});

t.test('limits beyond what can be counted', async (t) => {
  const most = Number.MAX_SAFE_INTEGER;
  const limits = {
    depth: most,
    members: most,
    items: most,
    tokens: most,
    nameBytes: most,
    stringBytes: most,
    numberBytes: most,
  };
  const options = { limits, projection: KEEP } as const;
  t.same(run(createWasmScanner(options), DOCUMENT), run(createScanner(options), DOCUMENT));
  t.match(run(createWasmScanner(options), Buffer.from('[1,{"a":[0,x]}]')), { instance: '/1/a/1' });
});
