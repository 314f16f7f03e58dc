import { createSecretKey } from 'node:crypto';
import type { AnswerVerifier, KeyRing, VerificationKey } from '../evidence/index.js';
import type { Assembled } from '../route/index.js';
import { FixedKeys, readKeySet, readPublicKey } from '../upstream/index.js';
import type { FixtureDefinition } from './fixture.js';

type FixtureKey = NonNullable<FixtureDefinition['keys']>[string];

/**
 * What verifies the answer of a fixture, with the keys that the fixture gives; undefined where its contract demands
 * nothing, and one sentence on what is wrong with the keys.
 */
export function fixtureSignatures(
  { signatures }: Assembled,
  keys: FixtureDefinition['keys'] = {},
): AnswerVerifier | string | undefined {
  if (signatures === undefined) {
    return Object.keys(keys).length === 0
      ? undefined
      : 'the fixture gives keys, and the contract demands no signatures';
  }
  const ring = new Map<string, VerificationKey>();
  for (const [name, written] of Object.entries(keys)) {
    const key = fixtureKey(written);
    if (typeof key === 'string') return `keys.${name} ${key}`;
    ring.set(name, key);
  }
  const bound = signatures.withKeys(ring satisfies KeyRing);
  if (!('problems' in bound)) return bound;
  return `${bound.problems.map(({ message }) => message).join('; ')} among the keys of the fixture`;
}

function fixtureKey({ secret, public_key: pem, jwks }: FixtureKey): VerificationKey | string {
  if (secret !== undefined) return { kind: 'secret', secrets: [createSecretKey(Buffer.from(secret))] };
  if (pem === undefined) {
    const set = readKeySet(Buffer.from(JSON.stringify(jwks)));
    return typeof set === 'string' ? set : { kind: 'public', keys: new FixedKeys(set) };
  }
  const key = readPublicKey(pem);
  if (typeof key === 'string') return key;
  return { kind: 'public', keys: new FixedKeys([{ kid: undefined, alg: undefined, key }], true) };
}
