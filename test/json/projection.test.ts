import t from 'tap';
import { KEEP, type Pick, type Projection } from '../../src/json/index.js';
import { keptOrCode } from './scan-support.js';

function pick(members: Readonly<Record<string, Projection>>, items?: Projection): Pick {
  return { members: new Map(Object.entries(members)), ...(items === undefined ? {} : { items }) };
}

const TREE: Pick = { members: new Map<string, Projection>([['id', KEEP]]) };
(TREE.members as Map<string, Projection>).set('child', TREE);

const CASES: readonly (readonly [about: string, projection: Projection, body: string, kept: string])[] = [
  ['nothing of an object but its kind', pick({}), '{"a":1,"b":{"c":[1]}}', '{}'],
  ['nothing of an array but its kind', pick({}), '[1,[2],{"a":3}]', '[]'],
  ['a scalar is kept under any pick', pick({}), ' "a" ', '"a"'],
  ['a number is kept under any pick', pick({}), '1.0', '1.0'],
  ['first, middle, last member', pick({ b: KEEP }), '{"b":1,"c":2}', '{"b":1}'],
  ['middle', pick({ b: KEEP }), '{"a":0,"b":1,"c":2}', '{"b":1}'],
  ['two of four', pick({ a: KEEP, c: KEEP }), '{"x":0,"a":1,"y":2,"c":[ 3 ]}', '{"a":1,"c":[3]}'],
  [
    'a name is compared after unescaping and kept as sent',
    pick({ ab: KEEP }),
    '{"\\u0061b":1}',
    '{"\\u0061b":1}',
  ],
  [
    'inner picks',
    pick({ user: pick({ login: KEEP }) }),
    '{"user":{"id":1,"login":"x"}}',
    '{"user":{"login":"x"}}',
  ],
  ['an inner pick on a scalar', pick({ user: pick({ login: KEEP }) }), '{"user":null}', '{"user":null}'],
  [
    'an inner pick on an array',
    pick({ user: pick({ login: KEEP }) }),
    '{"user":[{"login":1}]}',
    '{"user":[]}',
  ],
  [
    'every item, so that indices stay true',
    pick({}, pick({ a: KEEP })),
    '[{"a":1},{"b":2},3,[4]]',
    '[{"a":1},{},3,[]]',
  ],
  ['items kept whole', pick({ l: pick({}, KEEP) }), '{"k":[0],"l":[1,[2],{"m":3}]}', '{"l":[1,[2],{"m":3}]}'],
  ['items under an object pick are no members', pick({ 0: KEEP }), '[1]', '[]'],
  [
    'recursive',
    TREE,
    '{"id":1,"x":0,"child":{"child":{"id":3,"x":0}}}',
    '{"id":1,"child":{"child":{"id":3}}}',
  ],
  ['names of Object.prototype', pick({ a: KEEP }), '{"toString":1,"constructor":2,"a":3}', '{"a":3}'],
  [
    'nothing kept of a dropped part, however deep',
    pick({ z: KEEP }),
    '{"a":[{"z":1},[{"z":2}]],"z":3}',
    '{"z":3}',
  ],
];

t.test('what is kept', async (t) => {
  for (const [about, projection, body, kept] of CASES) t.equal(keptOrCode(body, { projection }), kept, about);
});
