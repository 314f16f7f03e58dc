import t from 'tap';
import { bundle } from '../../src/contract/bundle.js';
import { SchemaLibrary } from '../../src/contract/schema-library.js';
import { type Validator, Validators } from '../../src/contract/validator.js';

// Contracts that are loaded together share their Validators: what several of them write alike is compiled once, and each
// still tells its own places.

/** Compiles a schema file, and what it refers to, as a contract of its own would. */
function compile(validators: Validators, name: string, files: Readonly<Record<string, unknown>>): Validator {
  const library = new SchemaLibrary(new Map(Object.entries(files)));
  const site = library.open(name, { document: undefined, path: ['result'] });
  if (site === undefined) throw new Error(JSON.stringify(library.problems));
  const validator = validators.compile(bundle(site));
  if (!('accepts' in validator)) throw new Error(JSON.stringify(validator));
  return validator;
}

const THING = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 }, other: { $ref: '#/$defs/word' } },
  $defs: { word: { type: 'string', maxLength: 3 } },
};

t.test('the same schema in a file of the same name is compiled once', async (t) => {
  const validators = new Validators();
  const first = compile(validators, 'a.schema.json', { 'a.schema.json': THING });
  const second = compile(validators, 'a.schema.json', { 'a.schema.json': structuredClone(THING) });
  t.equal(second, first);
  t.not(compile(new Validators(), 'a.schema.json', { 'a.schema.json': THING }), first, 'within one load');
});

t.test('the same schema elsewhere is told by its own place', async (t) => {
  const validators = new Validators();
  const files = { 'a.schema.json': THING, 'b.schema.json': THING };
  for (const name of Object.keys(files)) {
    const validator = compile(validators, name, files);
    t.strictSame(validator.first({ id: 0 }), {
      instance: '/id',
      schema: `${name}#/properties/id/minimum`,
      rule: 'minimum',
    });
    t.strictSame(validator.explain({ other: 'four' }), [
      { instance: '/id', schema: `${name}#/required`, rule: 'required' },
      { instance: '/other', schema: `${name}#/$defs/word/maxLength`, rule: 'maxLength' },
    ]);
  }
});

t.test('what a reference leads to is part of what is the same', async (t) => {
  const validators = new Validators();
  const outer = { type: 'object', properties: { word: { $ref: 'w.schema.json' } } };
  const word = (maxLength: number) => ({ type: 'string', maxLength });
  const files = (maxLength: number) => ({ 'o.schema.json': outer, 'w.schema.json': word(maxLength) });
  const [short, long] = [3, 5].map((most) => compile(validators, 'o.schema.json', files(most)));
  t.strictSame([short?.accepts({ word: 'four' }), long?.accepts({ word: 'four' })], [false, true]);

  const moved = { type: 'object', properties: { word: { $ref: 'v.schema.json' } } };
  const other = compile(validators, 'o.schema.json', { 'o.schema.json': moved, 'v.schema.json': word(3) });
  t.equal(short?.first({ word: 'four' })?.schema, 'w.schema.json#/maxLength');
  t.equal(other.first({ word: 'four' })?.schema, 'v.schema.json#/maxLength');
});

t.test('a schema that does not compile is a problem each time', async (t) => {
  const branch = { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } } };
  const doubling = { type: 'object', anyOf: [branch, structuredClone(branch)] };
  const validators = new Validators();
  for (let i = 0; i < 2; i++) {
    const library = new SchemaLibrary(new Map([['d.schema.json', doubling]]));
    const site = library.open('d.schema.json', { document: undefined, path: ['result'] });
    if (site === undefined) return t.fail(JSON.stringify(library.problems));
    t.match(validators.compile(bundle(site)), [{ rule: 'repeated-work', document: 'd.schema.json' }]);
  }
  return undefined;
});
