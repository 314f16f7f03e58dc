import fc from 'fast-check';
import t from 'tap';
import { ContentDigest, type DigestAlgorithm, readContentDigest } from '../../src/evidence/content-digest.js';
import { Fault } from '../../src/fault/index.js';
import { ResponseHeaders } from '../../src/upstream/index.js';
import { contentDigest } from '../support/signing.js';

const BOTH: readonly DigestAlgorithm[] = ['sha-256', 'sha-512'];

function verdict(
  lines: readonly string[],
  body: Uint8Array,
  accepted: readonly DigestAlgorithm[] = BOTH,
): string {
  const headers = new ResponseHeaders(lines.map((line) => ['content-digest', line] as const));
  const digest = readContentDigest(headers, accepted);
  if (!(digest instanceof ContentDigest)) return digest.code;
  digest.update(body);
  return digest.isRight() ? 'right' : 'wrong';
}

const HELLO = Buffer.from('{"hello": "world"}\n');
const SHA256 = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:';
const SHA512 =
  'sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:';

t.test('the examples of RFC 9530 verify', async (t) => {
  t.equal(verdict([SHA256], HELLO), 'right', 'appendix B.1');
  t.equal(verdict([SHA512], HELLO), 'right', 'section 2');
  t.equal(verdict([`${SHA256}, ${SHA512}`], HELLO), 'right', 'both');
  t.equal(verdict([SHA256, SHA512], HELLO), 'right', 'the lines of one field are one field');
  // Figure 21: the same text in the br coding; the digest is that of the coded bytes (section 2)
  const coded = Buffer.from('8b08807b2268656c6c6f223a2022776f726c64227d0a03', 'hex');
  const codedDigest = 'sha-256=:MklYnI/SsUF/5X7enJ2TU+DFjodRObdKLFaPPLe/Kcw=:';
  t.equal(verdict([codedDigest], coded), 'right', 'appendix B.6, coded');
  t.equal(verdict([codedDigest], HELLO), 'wrong', 'and not of what it decodes to');
});

t.test('what is not sound is refused', async (t) => {
  const wrong512 = SHA512.replace('YMAa', 'XMAa');
  const cases: [title: string, lines: string[], expected: string, accepted?: DigestAlgorithm[]][] = [
    ['none', [], 'SIG_MISSING'],
    ['an empty one', [''], 'SIG_MISSING'],
    ['an algorithm that nobody should use', ['md5=:XrY7u+Ae7tCTyyK7j1rNww==:'], 'SIG_MISSING'],
    ['beside one that counts it says nothing', [`md5=:XrY7u+Ae7tCTyyK7j1rNww==:, ${SHA256}`], 'right'],
    ['another algorithm than demanded', [SHA512], 'SIG_MISSING', ['sha-256']],
    ['another one beside it', [`${SHA256}, ${SHA512}`], 'right', ['sha-256']],
    ['a wrong one beside a right one', [`${SHA256}, ${wrong512}`], 'wrong', ['sha-256']],
    ['the same algorithm twice', [`${SHA256}, ${SHA256}`], 'SIG_FORM'],
    ['in two lines', [SHA256, SHA256], 'SIG_FORM'],
    ['no byte sequence', ['sha-256="RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="'], 'SIG_FORM'],
    ['a list', [`sha-256=(${SHA256.slice('sha-256='.length)})`], 'SIG_FORM'],
    ['too short', ['sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8Fa:'], 'SIG_FORM'],
    ['base64 spelt otherwise', [SHA256.replace('abDg=', 'abDh=')], 'SIG_FORM'],
    ['padded too much', [SHA256.replace('abDg=', 'abDg==')], 'SIG_FORM'],
    ['no field at all', ['sha-256=RK/0qy18'], 'SIG_FORM'],
    ['a name in capitals', [SHA256.toUpperCase()], 'SIG_FORM'],
  ];
  for (const [title, lines, expected, accepted] of cases) {
    t.equal(verdict(lines, HELLO, accepted), expected, title);
  }
});

t.test('every bit of the body counts, however it is cut', async (t) => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom<DigestAlgorithm>('sha-256', 'sha-512'),
      (body, at, cut, algorithm) => {
        const headers = new ResponseHeaders([['content-digest', contentDigest(body, algorithm)]]);
        const check = (bytes: Uint8Array): boolean => {
          const digest = readContentDigest(headers, BOTH);
          if (digest instanceof Fault) throw new Error(digest.code);
          digest.update(bytes.subarray(0, cut % (bytes.length + 1)));
          digest.update(bytes.subarray(cut % (bytes.length + 1)));
          return digest.isRight();
        };
        t.ok(check(body));
        const bit = at % (body.length * 8);
        const other = Uint8Array.from(body);
        other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        t.notOk(check(other));
        t.notOk(check(body.subarray(1)));
      },
    ),
    { seed: 9530, numRuns: 200 },
  );
});
