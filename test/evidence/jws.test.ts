import { createPublicKey, createSecretKey } from 'node:crypto';
import t from 'tap';
import { ClaimReader } from '../../src/evidence/jws-claims.js';
import { fitsJws, JWS_ALGORITHMS, readToken, verifyToken } from '../../src/evidence/jws-token.js';
import { Fault } from '../../src/fault/index.js';
import { ED25519, P256, RSA } from '../support/signing.js';

const HS_KEY = createSecretKey(
  Buffer.from(
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    'base64url',
  ),
);
const jwk = (key: object) => createPublicKey({ key: key as never, format: 'jwk' });
const CLAIMS =
  'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';

t.test('the examples of RFC 7515, RFC 7797 and RFC 8037 verify, and no changed one', async (t) => {
  const cases: [title: string, alg: string, text: string, key: ReturnType<typeof jwk>, body?: string][] = [
    [
      'RFC 7515 A.1',
      'HS256',
      `eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.${CLAIMS}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
      HS_KEY,
    ],
    [
      'RFC 7515 A.2',
      'RS256',
      `eyJhbGciOiJSUzI1NiJ9.${CLAIMS}.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw`,
      jwk({
        kty: 'RSA',
        n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
        e: 'AQAB',
      }),
    ],
    [
      'RFC 7515 A.3',
      'ES256',
      `eyJhbGciOiJFUzI1NiJ9.${CLAIMS}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`,
      jwk({
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      }),
    ],
    [
      'RFC 8037 A.4',
      'EdDSA',
      'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
      jwk({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
    ],
    [
      'RFC 7797 4.2, detached',
      'HS256',
      'eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..A5dxf2s96_n5FLueVuW1Z_vh161FwXZC4YLPff6dmDY',
      HS_KEY,
      '$.02',
    ],
    [
      'RFC 7797 4.1, detached',
      'HS256',
      'eyJhbGciOiJIUzI1NiJ9..5mvfOroL-g7HyqJoozehmsaqmvTYGEq5jTI1gVvoEoQ',
      HS_KEY,
      '$.02',
    ],
  ];
  for (const [title, alg, text, key, body] of cases) {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const verify = async (token: string, payload = bytes): Promise<string> => {
      const read = readToken(token, new Set([alg]), bytes !== undefined);
      if (read instanceof Fault) return read.code;
      const verified = await verifyToken(read, [key], payload);
      return verified instanceof Fault ? verified.code : Buffer.from(verified).toString();
    };
    const [header = '', payload = '', signature = ''] = text.split('.');
    t.equal(await verify(text), body ?? Buffer.from(payload, 'base64url').toString(), title);
    const flipped = Buffer.from(signature, 'base64url');
    flipped[3] = (flipped[3] ?? 0) ^ 4;
    t.equal(
      await verify(`${header}.${payload}.${flipped.toString('base64url')}`),
      'SIG_INVALID',
      `${title}, changed`,
    );
    if (bytes !== undefined)
      t.equal(await verify(text, Buffer.from('$.03')), 'SIG_INVALID', `${title}, changed body`);
    t.match(await verify(text.replace(/\.[^.]*$/, '.')), /^SIG_/, `${title}, no signature`);
  }
});

const header = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

t.test('what is no sound JWS is told apart before any key is looked at', async (t) => {
  const allowed = new Set(['EdDSA', 'ES256']);
  const cases: [title: string, text: string, expected: string, isDetached?: boolean][] = [
    ['none', `${header({ alg: 'none' })}.e30.`, 'SIG_ALGORITHM'],
    ['none with a signature', `${header({ alg: 'none' })}.e30.YQ`, 'SIG_ALGORITHM'],
    ['None', `${header({ alg: 'None' })}.e30.`, 'SIG_ALGORITHM'],
    ['another algorithm', `${header({ alg: 'RS256' })}.e30.YQ`, 'SIG_ALGORITHM'],
    ['a MAC', `${header({ alg: 'HS256' })}.e30.YQ`, 'SIG_ALGORITHM'],
    ['a critical extension', `${header({ alg: 'EdDSA', crit: ['x'], x: 1 })}.e30.YQ`, 'SIG_ALGORITHM'],
    ['an empty list of them', `${header({ alg: 'EdDSA', crit: [] })}.e30.YQ`, 'SIG_ALGORITHM'],
    [
      'b64 where the payload stands',
      `${header({ alg: 'EdDSA', b64: false, crit: ['b64'] })}.e30.YQ`,
      'SIG_ALGORITHM',
    ],
    ['b64 that need not be understood', `${header({ alg: 'EdDSA', b64: false })}..YQ`, 'SIG_ALGORITHM', true],
    [
      'b64 and more',
      `${header({ alg: 'EdDSA', b64: false, crit: ['b64', 'x'], x: 1 })}..YQ`,
      'SIG_ALGORITHM',
      true,
    ],
    ['no algorithm', `${header({})}.e30.YQ`, 'SIG_FORM'],
    ['an algorithm that is no text', `${header({ alg: ['EdDSA'] })}.e30.YQ`, 'SIG_FORM'],
    ['an algorithm twice', `${header('{"alg":"EdDSA","alg":"none"}')}.e30.YQ`, 'SIG_FORM'],
    ['a header that is no object', `${header('["EdDSA"]')}.e30.YQ`, 'SIG_FORM'],
    ['a header that is no JSON', `${header('alg')}.e30.YQ`, 'SIG_FORM'],
    ['a header with __proto__', `${header('{"alg":"EdDSA","__proto__":{}}')}.e30.YQ`, 'SIG_FORM'],
    ['a key id that is no text', `${header({ alg: 'EdDSA', kid: 1 })}.e30.YQ`, 'SIG_FORM'],
    ['a large header', `${header({ alg: 'EdDSA', x: 'x'.repeat(5_000) })}.e30.YQ`, 'SIG_FORM'],
    ['two parts', `${header({ alg: 'EdDSA' })}.e30`, 'SIG_FORM'],
    ['four parts', `${header({ alg: 'EdDSA' })}.e30.YQ.YQ`, 'SIG_FORM'],
    ['five parts', `${header({ alg: 'dir' })}..YQ.YQ.YQ`, 'SIG_FORM'],
    ['padding', `${header({ alg: 'EdDSA' })}.e30=.YQ`, 'SIG_FORM'],
    ['another spelling', `${header({ alg: 'EdDSA' })}.e31.YQ`, 'SIG_FORM'],
    ['white space', `${header({ alg: 'EdDSA' })}.e30.YQ\n`, 'SIG_FORM'],
    ['nothing', '', 'SIG_FORM'],
    ['JSON serialization', '{"payload":"e30","protected":"e30","signature":"YQ"}', 'SIG_FORM'],
    ['a payload that should be detached', `${header({ alg: 'EdDSA' })}.e30.YQ`, 'SIG_FORM', true],
    ['a payload that is detached', `${header({ alg: 'EdDSA' })}..YQ`, 'SIG_FORM'],
  ];
  for (const [title, text, expected, isDetached = false] of cases) {
    const read = readToken(text, allowed, isDetached);
    t.equal(read instanceof Fault ? read.code : 'read', expected, title);
  }
});

t.test('a key fits its own algorithms and no other', async (t) => {
  const fitting = (key: typeof ED25519.publicKey, alg?: string) =>
    [...JWS_ALGORITHMS.keys()].filter((name) => fitsJws(name, { key, alg, kid: undefined }));
  t.same(fitting(ED25519.publicKey), ['EdDSA', 'Ed25519']);
  t.same(fitting(ED25519.publicKey, 'EdDSA'), ['EdDSA', 'Ed25519']);
  t.same(fitting(P256.publicKey), ['ES256']);
  t.same(fitting(P256.publicKey, 'ES384'), []);
  t.same(fitting(RSA.publicKey), ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']);
  t.same(fitting(RSA.publicKey, 'PS256'), ['PS256'], 'a set may say which one a key is for');
  t.same(fitting(HS_KEY), [], 'a secret is no public key');
  t.notOk(JWS_ALGORITHMS.has('none'));
});

t.test('claims', async (t) => {
  const now = 1_000_000_000_000;
  const sound = { iss: 'https://issuer.example', aud: 'agents', exp: now / 1000 + 60, digest: { body: 'x' } };
  const read = (claims: unknown, maxAgeMs?: number): string => {
    const terms = { issuer: 'https://issuer.example', audience: 'agents', maxAgeMs, skewMs: 5_000 };
    const text = typeof claims === 'string' ? claims : JSON.stringify(claims);
    const outcome = new ClaimReader(terms, ['digest', 'body']).read(Buffer.from(text), now);
    return outcome instanceof Fault ? outcome.code : String(outcome.claim);
  };
  const at = (seconds: number) => now / 1000 + seconds;
  const cases: [title: string, claims: unknown, expected: string, maxAgeMs?: number][] = [
    ['sound', sound, 'x'],
    ['several audiences', { ...sound, aud: ['others', 'agents'] }, 'x'],
    ['another issuer', { ...sound, iss: 'https://issuer.example/' }, 'SIG_CLAIMS'],
    ['no issuer', { ...sound, iss: undefined }, 'SIG_CLAIMS'],
    ['another audience', { ...sound, aud: 'agent' }, 'SIG_CLAIMS'],
    ['other audiences', { ...sound, aud: ['agentsx', ['agents']] }, 'SIG_CLAIMS'],
    ['no audience', { ...sound, aud: undefined }, 'SIG_CLAIMS'],
    ['no exp', { ...sound, exp: undefined }, 'SIG_CLAIMS'],
    ['exp is no number', { ...sound, exp: '9999999999' }, 'SIG_CLAIMS'],
    ['just expired within skew', { ...sound, exp: at(-4) }, 'x'],
    ['expired', { ...sound, exp: at(-5) }, 'SIG_TIME'],
    ['valid soon, within skew', { ...sound, nbf: at(5) }, 'x'],
    ['not yet valid', { ...sound, nbf: at(6) }, 'SIG_TIME'],
    ['made in the future', { ...sound, iat: at(6) }, 'SIG_TIME'],
    ['young enough', { ...sound, exp: undefined, iat: at(-65) }, 'x', 60_000],
    ['too old', { ...sound, iat: at(-66) }, 'SIG_TIME', 60_000],
    ['an age that is not told', sound, 'SIG_CLAIMS', 60_000],
    ['young, and expired all the same', { ...sound, iat: at(-10), exp: at(-6) }, 'SIG_TIME', 60_000],
    [
      'a claim twice',
      '{"iss":"https://issuer.example","iss":"x","aud":"agents","exp":9999999999}',
      'SIG_FORM',
    ],
    ['no object', '[]', 'SIG_FORM'],
    ['no JSON', '{', 'SIG_FORM'],
  ];
  for (const [title, claims, expected, maxAgeMs] of cases) t.equal(read(claims, maxAgeMs), expected, title);
});
