import t from 'tap';
import { Sha256, sha256Hex, sha256OfStream } from '../../src/record/index.js';

// FIPS 180-4 examples.
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

t.test('one piece', async (t) => {
  t.equal(sha256Hex(Buffer.from('abc')), ABC);
  t.equal(sha256Hex('abc'), ABC);
  t.equal(sha256Hex(new Uint8Array()), EMPTY);
  t.equal(sha256Hex('é'), sha256Hex(Buffer.from([0xc3, 0xa9])), 'text is UTF-8');
});

t.test('many pieces, read on the way', async (t) => {
  const digest = new Sha256();
  t.equal(digest.hex(), EMPTY);
  digest.update(Buffer.from('a')).update(Buffer.from('bc'));
  t.equal(digest.hex(), ABC);
  t.equal(digest.hex(), ABC, 'reading does not end it');
  t.equal(digest.bytes, 3);
  t.equal(digest.update(Buffer.from('d')).hex(), sha256Hex('abcd'));
});

t.test('a stream', async (t) => {
  async function* pieces() {
    yield Buffer.from('ab');
    yield Buffer.from('c');
  }
  t.equal(await sha256OfStream(pieces()), ABC);
});
