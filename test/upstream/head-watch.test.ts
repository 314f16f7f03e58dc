import fc from 'fast-check';
import t from 'tap';
import { HeadWatch } from '../../src/upstream/head-watch.js';

const FINAL = 'HTTP/1.1 200 OK\r\nX-100: HTTP/1.1 100\r\n\r\n';
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';

function watch(pieces: readonly string[]): { watch: HeadWatch; text: string } {
  const watch = new HeadWatch();
  const seen = pieces.map((piece) => {
    const chunk = Buffer.from(piece, 'latin1');
    watch.take(chunk);
    return chunk.toString('latin1');
  });
  return { watch, text: seen.join('') };
}

t.test('a final head', (t) => {
  const { watch: head, text } = watch([`${FINAL}HTTP/1.1 100 in the body\r\n\r\n`]);
  t.equal(text, `${FINAL}HTTP/1.1 100 in the body\r\n\r\n`, 'nothing is changed');
  t.strictSame([head.bytes, head.done, head.version], [FINAL.length, true, '1.1']);
  t.end();
});

t.test('interim heads before it', (t) => {
  const { watch: head, text } = watch([INTERIM + HINTS + INTERIM + FINAL]);
  const shown = INTERIM.replace('100', '102');
  t.equal(text, shown + HINTS + shown + FINAL);
  t.strictSame([head.bytes, head.done], [text.length, true]);
  t.end();
});

t.test('not yet complete', (t) => {
  for (const part of ['', 'H', 'HTTP/1.1 20', FINAL.slice(0, -1), INTERIM, `${INTERIM}HTTP`]) {
    const { watch: head } = watch([part]);
    t.strictSame([head.bytes, head.done], [part.length, false], JSON.stringify(part));
  }
  t.end();
});

t.test('versions', (t) => {
  for (const version of ['1.0', '1.1', '2.0', '0.9']) {
    t.equal(watch([FINAL.replace('1.1', version)]).watch.version, version);
  }
  t.end();
});

t.test('property: no difference how the bytes come', (t) => {
  const message = `\r\n${INTERIM}\r\n${HINTS}${INTERIM}${FINAL}{"a":"\r\n\r\n"}`;
  const whole = watch([message]);
  fc.assert(
    fc.property(fc.array(fc.nat(message.length), { maxLength: 20 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), message.length];
      const cut = watch(at.slice(1).map((end, i) => message.slice(at[i], end)));
      return cut.text === whole.text && cut.watch.bytes === whole.watch.bytes && cut.watch.done;
    }),
    { seed: 1, numRuns: 300 },
  );
  t.end();
});
