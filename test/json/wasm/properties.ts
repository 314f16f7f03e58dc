import fc from 'fast-check';
import { everyCut } from '../scan-support.js';
import { agree, type Tally } from './differential.js';
import { body, mutate, mutation, options } from './generators.js';

/*
 * What holds of every input; the tests check some with a fixed seed, the fuzzer as many as there is time for.
 */

/** Both scanners say the same of generated bodies, whole, byte by byte and cut anywhere. */
export function generatedBodies(tally: Tally) {
  return fc.property(body, options, fc.array(fc.nat(), { maxLength: 6 }), (bytes, options, cuts) => {
    const inside = cuts.map((cut) => cut % (bytes.length + 1));
    tally.add(agree(bytes, options, everyCut(bytes.length), inside));
  });
}

/** The same of real documents to which something has happened. */
export function mutatedDocuments(documents: readonly Buffer[], tally: Tally) {
  return fc.property(
    fc.nat(documents.length - 1),
    fc.array(mutation, { maxLength: 2 }),
    options,
    fc.array(fc.nat(), { maxLength: 8 }),
    (index, mutations, options, cuts) => {
      const document = documents[index] ?? Buffer.alloc(0);
      const bytes = mutations.reduce(mutate, document);
      const inside = cuts.map((cut) => cut % (bytes.length + 1));
      tally.add(agree(bytes, options, inside));
    },
  );
}
