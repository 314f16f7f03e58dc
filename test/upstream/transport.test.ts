import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import {
  Cancellation,
  type Coding,
  checkDeclaredLength,
  DEFAULT_TRANSPORT_LIMITS,
  decodedBody,
  emptyBody,
  RATIO_FLOOR_BYTES,
  ResponseHeaders,
} from '../../src/upstream/index.js';
import { cut, decode, PiecesBody } from '../support/upstream-body.js';
import { ask, outcome, read, setUp } from '../support/upstream-client.js';

const TEXT = Buffer.from('{"id":1,"name":"a"}');
/** Does not compress, and is the same every time. */
const NOISE = noise(150_000);
const BLANKS = Buffer.alloc(6 * 1_048_576, ' ');

function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

const encode: Record<Coding, (bytes: Uint8Array) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

for (const coding of ['gzip', 'br'] as const) {
  t.test(coding, async (t) => {
    t.test('whole, in pieces and byte by byte', async (t) => {
      const bodies = [Buffer.alloc(0), TEXT, NOISE.subarray(0, 5_000), NOISE];
      for (const plain of bodies) {
        const wire = encode[coding](plain);
        for (const size of plain.length > 10_000 ? [wire.length, 4_096, 5_003] : [wire.length, 7, 1]) {
          const { code, bytes, meter } = await decode(new PiecesBody(cut(wire, size)), coding);
          t.equal(code, undefined, `${plain.length} bytes in pieces of ${size}`);
          t.ok(bytes.equals(plain));
          t.strictSame(meter, { wireBytes: wire.length, decodedBytes: plain.length });
        }
      }
    });

    t.test('cut anywhere', async (t) => {
      const wire = encode[coding](TEXT);
      for (let end = 0; end < wire.length; end++) {
        const { code } = await decode(new PiecesBody(cut(wire.subarray(0, end), 5)), coding);
        t.equal(code, 'BYT_CODING_CORRUPT', `after ${end} bytes`);
      }
    });

    t.test('anything after the end', async (t) => {
      for (const plain of [TEXT, NOISE]) {
        const wire = encode[coding](plain);
        for (const tail of [
          Buffer.from([0]),
          Buffer.alloc(512),
          Buffer.from('g'),
          Buffer.from('garbage'),
          wire,
          encode[coding](Buffer.alloc(0)),
        ]) {
          const together = await decode(new PiecesBody([Buffer.concat([wire, tail])]), coding);
          t.equal(together.code, 'BYT_CODING_CORRUPT', 'in the same piece');
          const apart = await decode(new PiecesBody([wire, ...cut(tail, 3)]), coding);
          t.equal(apart.code, 'BYT_CODING_CORRUPT', 'in pieces of its own');
        }
      }
    });

    if (coding === 'gzip') {
      // Brotli has no checksum. Some bits of gzip mean nothing: most of the header, and those that fill the last byte.
      t.test('one wrong bit gives no other body', async (t) => {
        const wire = gzipSync(TEXT);
        let refused = 0;
        for (let bit = 0; bit < wire.length * 8; bit++) {
          const broken = Buffer.from(wire);
          broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          const { code, bytes } = await decode(new PiecesBody([broken]), 'gzip');
          if (code === 'BYT_CODING_CORRUPT') refused += 1;
          else if (code !== undefined || !bytes.equals(TEXT)) t.fail(`bit ${bit}: ${code}`);
        }
        t.ok(refused > wire.length * 8 - 60, `${refused} refused`);
      });
    }

    t.test('not of this coding', async (t) => {
      const bodies = [
        TEXT,
        deflateSync(TEXT),
        deflateRawSync(TEXT),
        encode[coding === 'br' ? 'gzip' : 'br'](TEXT),
      ];
      for (const wire of bodies)
        t.equal((await decode(new PiecesBody([wire]), coding)).code, 'BYT_CODING_CORRUPT');
    });

    t.test('wire limit', async (t) => {
      const wire = encode[coding](NOISE);
      const exact = await decode(new PiecesBody(cut(wire, 10_000)), coding, { wireBytes: wire.length });
      t.equal(exact.code, undefined);
      const body = new PiecesBody(cut(wire, 10_000));
      t.equal((await decode(body, coding, { wireBytes: 49_999 })).code, 'BYT_WIRE_TOO_LARGE');
      t.equal(body.given, 5, 'nothing is read beyond it');
    });

    t.test('decoded limit', async (t) => {
      const wire = encode[coding](NOISE);
      const exact = await decode(new PiecesBody([wire]), coding, { decodedBytes: NOISE.length });
      t.equal(exact.code, undefined);
      for (const size of [wire.length, 1_000]) {
        const { code, bytes, meter } = await decode(new PiecesBody(cut(wire, size)), coding, {
          decodedBytes: 99_999,
        });
        t.equal(code, 'BYT_DECODED_TOO_LARGE');
        t.ok(bytes.equals(NOISE.subarray(0, 99_999)), 'what lies before the limit is handed out');
        t.ok(meter.decodedBytes < 99_999 + 16_384 + 1, 'one piece is decoded beyond it at most');
      }
    });

    t.test('a bomb', async (t) => {
      const wire = encode[coding](BLANKS);
      for (const size of [wire.length, 100]) {
        const { code, meter } = await decode(new PiecesBody(cut(wire, size)), coding);
        t.equal(code, 'BYT_RATIO');
        // The ratio is held against the blocks that were given to the decompressor
        const most = Math.max(RATIO_FLOOR_BYTES, 100 * Math.min(4_096, wire.length));
        t.ok(meter.decodedBytes <= most + 16_384, `${meter.decodedBytes} bytes were decoded`);
      }
      const unlimited = await decode(new PiecesBody([wire]), coding, { ratio: 1e9 });
      t.equal(unlimited.code, 'BYT_DECODED_TOO_LARGE');
      t.equal(unlimited.bytes.length, DEFAULT_TRANSPORT_LIMITS.decodedBytes);
    });

    t.test('a small body may compress as well as it likes', async (t) => {
      const plain = BLANKS.subarray(0, RATIO_FLOOR_BYTES);
      const wire = encode[coding](plain);
      t.ok(plain.length / wire.length > 100);
      t.equal((await decode(new PiecesBody([wire]), coding, { ratio: 1 })).code, undefined);
      const more = encode[coding](BLANKS.subarray(0, RATIO_FLOOR_BYTES + 1));
      t.equal((await decode(new PiecesBody([more]), coding, { ratio: 1 })).code, 'BYT_RATIO');
    });

    t.test('the verdict does not depend on how the bytes come', async (t) => {
      // Dense, then sparse: under the ratio over the whole, over it at the start
      const wire = encode[coding](Buffer.concat([BLANKS.subarray(0, 600_000), NOISE]));
      const limits = { ratio: 8 };
      const whole = await decode(new PiecesBody([wire]), coding, limits);
      for (const size of [1_000, 4_095, 4_097, 30_011]) {
        const { code, meter } = await decode(new PiecesBody(cut(wire, size)), coding, limits);
        t.equal(code, whole.code);
        t.equal(meter.decodedBytes, whole.meter.decodedBytes);
      }
    });

    t.test('faults of the sink and of the wire', async (t) => {
      const wire = encode[coding](NOISE);
      const body = new PiecesBody(cut(wire, 5_000));
      const meter = { wireBytes: 0, decodedBytes: 0 };
      const sink = new Fault('PRS_SYNTAX');
      const decoded = decodedBody(body, coding, DEFAULT_TRANSPORT_LIMITS, meter);
      let calls = 0;
      t.equal(
        await decoded.drain(() => {
          calls += 1;
          return sink;
        }),
        sink,
      );
      t.equal(calls, 1, 'the sink is not called again');

      const cutOff = new Fault('BYT_TRUNCATED');
      const truncated = new PiecesBody(cut(wire.subarray(0, 10_000), 1_000), cutOff);
      t.equal((await decode(truncated, coding)).code, 'BYT_TRUNCATED');
    });

    t.test('a sink that throws', async (t) => {
      const meter = { wireBytes: 0, decodedBytes: 0 };
      const decoded = decodedBody(
        new PiecesBody([encode[coding](TEXT)]),
        coding,
        DEFAULT_TRANSPORT_LIMITS,
        meter,
      );
      await t.rejects(
        decoded.drain(() => {
          throw new TypeError('bug');
        }),
        { message: 'bug' },
      );
    });

    t.test('the deadline ends a decode', async (t) => {
      const wire = encode[coding](BLANKS);
      const cancellation = new Cancellation();
      const fault = new Fault('UPS_TOTAL_TIMEOUT');
      const meter = { wireBytes: 0, decodedBytes: 0 };
      const limits = { ...DEFAULT_TRANSPORT_LIMITS, ratio: 1e9, decodedBytes: 1e9 };
      const decoded = decodedBody(new PiecesBody([wire]), coding, limits, meter, cancellation);
      const end = await decoded.drain(() => {
        cancellation.cancel(fault);
        return undefined;
      });
      t.equal(end, fault);
      t.ok(meter.decodedBytes <= 16_384);

      const late = new PiecesBody([wire]);
      const again = await decode(late, coding, {}, cancellation);
      t.equal(again.code, 'UPS_TOTAL_TIMEOUT');
      t.ok(late.discarded);
    });
  });
}

t.test('gzip: the fields of the header', async (t) => {
  const wire = gzipSync(TEXT);
  const header = (flags: number, fields: number[]) =>
    Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3, ...fields]);
  const name = [...Buffer.from('a.json'), 0];
  const extra = [3, 0, 1, 2, 3];
  // CRC-16 of the header is the low half of its CRC-32 (RFC 1952 section 2.3.1)
  const checked = header(0x02, []);
  const good: Buffer[] = [
    header(0x01, []),
    header(0x08, name),
    header(0x10, name),
    header(0x04, extra),
    header(0x1c, [...extra, ...name, ...name]),
  ];
  for (const head of good) {
    for (const size of [1, 1_000]) {
      const { code, bytes } = await decode(
        new PiecesBody(cut(Buffer.concat([head, wire.subarray(10)]), size)),
        'gzip',
      );
      t.equal(code, undefined, head.toString('hex'));
      t.ok(bytes.equals(TEXT));
    }
  }
  const { crc32 } = await import('node:zlib');
  const sum = crc32(checked) & 0xffff;
  const withSum = Buffer.concat([checked, Buffer.from([sum & 0xff, sum >> 8]), wire.subarray(10)]);
  t.equal((await decode(new PiecesBody([withSum]), 'gzip')).code, undefined, 'right CRC-16');
  const wrongSum = Buffer.concat([checked, Buffer.from([~sum & 0xff, sum >> 8]), wire.subarray(10)]);
  const bad: Buffer[] = [
    wrongSum,
    Buffer.concat([header(0x20, []), wire.subarray(10)]),
    Buffer.concat([header(0x80, []), wire.subarray(10)]),
    Buffer.concat([header(0x08, new Array(5_000).fill(97)), Buffer.from([0]), wire.subarray(10)]),
    header(0x08, [97, 98]),
    header(0x04, [255, 255, 1]),
  ];
  for (const one of bad) t.equal((await decode(new PiecesBody([one]), 'gzip')).code, 'BYT_CODING_CORRUPT');
});

t.test('identity', async (t) => {
  t.test('limits, and what is handed out before them', async (t) => {
    for (const size of [150_000, 1_000]) {
      const exact = await decode(new PiecesBody(cut(NOISE, size)), 'identity', {
        wireBytes: 150_000,
        decodedBytes: 150_000,
      });
      t.equal(exact.code, undefined);
      t.strictSame(exact.meter, { wireBytes: 150_000, decodedBytes: 150_000 });
      const wire = await decode(new PiecesBody(cut(NOISE, size)), 'identity', { wireBytes: 99_999 });
      t.equal(wire.code, 'BYT_WIRE_TOO_LARGE');
      t.ok(wire.bytes.equals(NOISE.subarray(0, 99_999)));
      const decoded = await decode(new PiecesBody(cut(NOISE, size)), 'identity', { decodedBytes: 99_999 });
      t.equal(decoded.code, 'BYT_DECODED_TOO_LARGE');
      t.ok(decoded.bytes.equals(NOISE.subarray(0, 99_999)));
    }
  });

  t.test('property: limits and pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 }),
        fc.nat(200),
        fc.nat(200),
        async (pieces, wireBytes, decodedBytes) => {
          const all = Buffer.concat(pieces);
          const { code, bytes } = await decode(new PiecesBody(pieces), 'identity', {
            wireBytes,
            decodedBytes,
          });
          const over = all.length > Math.min(wireBytes, decodedBytes);
          return (
            over === (code !== undefined) && bytes.equals(all.subarray(0, Math.min(wireBytes, decodedBytes)))
          );
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });
});

t.test('property: what was encoded decodes, in any pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Coding>('gzip', 'br'),
      fc.uint8Array({ maxLength: 3_000 }),
      fc.integer({ min: 1, max: 700 }),
      async (coding, plain, size) => {
        const { code, bytes } = await decode(new PiecesBody(cut(encode[coding](plain), size)), coding);
        return code === undefined && bytes.equals(plain);
      },
    ),
    { seed: 11, numRuns: 80 },
  );
});

t.test('discard', (t) => {
  const body = new PiecesBody([TEXT]);
  decodedBody(body, 'gzip', DEFAULT_TRANSPORT_LIMITS, { wireBytes: 0, decodedBytes: 0 }).discard();
  t.ok(body.discarded);
  t.equal(body.given, 0);
  t.end();
});

t.test('emptyBody', async (t) => {
  t.equal(await emptyBody(new PiecesBody([])), undefined);
  t.equal(await emptyBody(new PiecesBody([Buffer.alloc(0)])), undefined);
  t.equal((await emptyBody(new PiecesBody([Buffer.from(' ')])))?.code, 'BYT_BODY_UNEXPECTED');
});

t.test('checkDeclaredLength', (t) => {
  const check = (value: string) =>
    checkDeclaredLength(new ResponseHeaders([['content-length', value]]), {
      ...DEFAULT_TRANSPORT_LIMITS,
      wireBytes: 10,
    })?.code;
  t.equal(check('10'), undefined);
  t.equal(check('11'), 'BYT_WIRE_TOO_LARGE');
  t.equal(checkDeclaredLength(new ResponseHeaders([]), DEFAULT_TRANSPORT_LIMITS), undefined);
  t.end();
});

t.test('over a connection', async (t) => {
  const head = (coding: string, length: number) =>
    `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${length}\r\n\r\n`;

  t.test('a large body, held back while it is decoded', async (t) => {
    const plain = Buffer.concat(new Array(8).fill(NOISE));
    for (const coding of ['gzip', 'br'] as const) {
      const wire = encode[coding](plain);
      const { upstream, client } = await setUp(
        t,
        [{ send: Buffer.concat([Buffer.from(head(coding, wire.length)), wire]) }],
        { connections: 1 },
      );
      for (let i = 0; i < 2; i++) {
        const answer = await ask(client);
        if (answer instanceof Fault) throw new Error(answer.code);
        const { code, bytes } = await decode(answer.body, coding, { wireBytes: wire.length });
        t.equal(code, undefined);
        t.ok(bytes.equals(plain));
      }
      t.equal(upstream.connections, 1, 'and the connection is used again');
    }
  });

  t.test('a bomb whose upstream then stalls: closed at once', async (t) => {
    const wire = encode.gzip(BLANKS);
    const { upstream, client } = await setUp(t, [
      { send: Buffer.concat([Buffer.from(head('gzip', wire.length)), wire.subarray(0, -100)]) },
    ]);
    const answer = await ask(client);
    if (answer instanceof Fault) throw new Error(answer.code);
    t.equal((await decode(answer.body, 'gzip')).code, 'BYT_RATIO');
    await upstream.closed();
    t.equal(upstream.connections, 1);
  });

  t.test('endless chunks: closed at the limit', async (t) => {
    const { upstream, client } = await setUp(t, [
      { send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' },
      { repeat: `400\r\n${' '.repeat(1_024)}\r\n`, every_ms: 0, max: 100_000 },
    ]);
    const answer = await ask(client);
    if (answer instanceof Fault) throw new Error(answer.code);
    const { code, bytes } = await decode(answer.body, 'identity', { wireBytes: 50_000 });
    t.equal(code, 'BYT_WIRE_TOO_LARGE');
    t.equal(bytes.length, 50_000);
    await upstream.closed();
  });

  t.test('the deadline closes a connection that is held back', async (t) => {
    const wire = encode.gzip(NOISE);
    const { upstream, client } = await setUp(t, [
      { send: head('gzip', wire.length) },
      { send: wire.subarray(0, -1) },
    ]);
    const cancellation = new Cancellation();
    const answer = await ask(client, { cancellation });
    if (answer instanceof Fault) throw new Error(answer.code);
    setTimeout(() => cancellation.cancel(new Fault('UPS_TOTAL_TIMEOUT')), 40);
    t.equal((await decode(answer.body, 'gzip', {}, cancellation)).code, 'UPS_TOTAL_TIMEOUT');
    await upstream.closed();
  });

  t.test('nothing is decoded by the client itself', async (t) => {
    const wire = encode.gzip(TEXT);
    const { client } = await setUp(t, [
      { send: Buffer.concat([Buffer.from(head('gzip', wire.length)), wire]) },
    ]);
    const answer = await ask(client);
    if (answer instanceof Fault) throw new Error(answer.code);
    t.equal((await read(answer)).text, wire.toString('latin1'));
    t.equal(await outcome(client), `200 ${wire.toString('latin1')}`);
  });
});
