import fc from 'fast-check';
import t from 'tap';
import type { ReadsDefinition } from '../../src/contract/index.js';
import { Fault } from '../../src/fault/index.js';
import { contextOf, problemsOf, ruleOf, VALUE } from './rules.js';

const READS: ReadsDefinition = {
  id: '/id',
  ratio: '/ratio',
  name: '/name',
  at: '/at',
  done: '/done',
  tags: '/tags',
  scores: '/scores',
  attempt: '/attempt',
  ended: '/ended',
};

/** Words of rules in any order: few of these sentences mean something. */
const soup = fc
  .array(
    fc.constantFrom(
      ...[
        'id',
        'ratio',
        'name',
        'at',
        'done',
        'tags',
        'scores',
        'attempt',
        'now',
        'request.params.number',
        'x',
      ],
      ...['1', '0', '2.5', '"a"', 'true', 'false', '[1]', '["a", "b"]', 'duration("1s")'],
      ...['==', '!=', '<', '>=', '+', '-', '*', '/', '%', '&&', '||', '!', 'in', '?', ':', ','],
      ...['(', ')', '[', ']', '.all(x, ', '.exists(x, ', '.map(x, ', '.filter(x, ', '.orValue(', '.value()'],
      ...['size(', 'int(', 'double(', 'string(', 'rfc3339(', 're2(name, "^a+$")', '.startsWith(', 'sum('],
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((words) => words.join(' '));

/** A sentence of the right types: true or false, over the names above. */
const { rule: sound } = fc.letrec<Record<'rule' | 'int' | 'double' | 'text' | 'time', string>>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('done', 'true', 'false', 'attempt.hasValue()', '"a" in tags'),
    fc
      .tuple(tie('int'), fc.constantFrom('==', '!=', '<', '<=', '>'), tie('int'))
      .map((p) => `(${p.join(' ')})`),
    fc.tuple(tie('double'), fc.constantFrom('==', '<', '>='), tie('double')).map((p) => `(${p.join(' ')})`),
    fc.tuple(tie('text'), fc.constantFrom('==', '!=', '<'), tie('text')).map((p) => `(${p.join(' ')})`),
    fc.tuple(tie('time'), fc.constantFrom('==', '<', '>'), tie('time')).map((p) => `(${p.join(' ')})`),
    fc
      .tuple(tie('rule'), fc.constantFrom('&&', '||', '==', '!='), tie('rule'))
      .map((p) => `(${p.join(' ')})`),
    tie('rule').map((rule) => `!(${rule})`),
    fc.tuple(tie('rule'), tie('rule'), tie('rule')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(fc.constantFrom('all', 'exists', 'exists_one'), tie('int'))
      .map(([loop, int]) => `tags.${loop}(x, size(x) < ${int})`),
    tie('double').map((double) => `scores.filter(s, s > ${double}).all(s, s < 1000.0)`),
    tie('text').map((text) => `re2(name + ${text}, "^[a-z]+$")`),
  ),
  int: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'id',
      '0',
      '1',
      '9223372036854775807',
      'attempt.value()',
      'attempt.orValue(3)',
      'size(tags)',
    ),
    fc.tuple(tie('int'), fc.constantFrom('+', '-', '*', '/', '%'), tie('int')).map((p) => `(${p.join(' ')})`),
    tie('double').map((double) => `int(${double})`),
    tie('text').map((text) => `int(${text})`),
  ),
  double: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('ratio', '0.0', '1e308', 'scores[0]', 'sum(scores)'),
    fc.tuple(tie('double'), fc.constantFrom('+', '*', '/'), tie('double')).map((p) => `(${p.join(' ')})`),
    tie('int').map((int) => `double(${int})`),
  ),
  text: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('name', '"12"', '""', 'tags[1]', 'request.params.owner'),
    tie('int').map((int) => `string(${int})`),
    tie('text').map((text) => `${text}.lowerAscii()`),
  ),
  time: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('at', 'now', 'ended.orValue(now)', 'ended.value()'),
    tie('text').map((text) => `rfc3339(${text})`),
    tie('time').map((time) => `(${time} + duration("1h"))`),
    tie('text').map((text) => `(now - duration(${text}))`),
  ),
}));

/** Answers that no schema has seen. */
const answer = fc.oneof(
  fc.constant(VALUE),
  fc.record(
    {
      id: fc.oneof(fc.maxSafeInteger(), fc.jsonValue()),
      ratio: fc.oneof(fc.double({ noNaN: true }), fc.jsonValue()),
      name: fc.oneof(fc.string(), fc.jsonValue()),
      at: fc.oneof(
        fc.constant('2026-01-01T00:00:00Z'),
        fc.constant('+275760-09-13T00:00:00Z'),
        fc.jsonValue(),
      ),
      done: fc.oneof(fc.boolean(), fc.jsonValue()),
      tags: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      scores: fc.oneof(fc.array(fc.double({ noNaN: true })), fc.jsonValue()),
      attempt: fc.jsonValue(),
      ended: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
  fc.constant(JSON.parse('{"id":{"valueOf":1,"toString":2,"constructor":3},"__proto__":{"name":"a"}}')),
);

/** The reads that a sentence names, as a contract must. */
function readsOf(rule: string): ReadsDefinition {
  return Object.fromEntries(Object.entries(READS).filter(([name]) => new RegExp(`\\b${name}\\b`).test(rule)));
}

t.test('whatever is written as a rule loads or is a problem in its place', async (t) => {
  let loaded = 0;
  fc.assert(
    fc.property(fc.oneof(soup, fc.string({ maxLength: 40 })), (rule) => {
      const problems = problemsOf(rule, READS);
      if (problems.every((problem) => problem.rule === 'unused-read')) loaded++;
      for (const { pointer, within } of problems) {
        if (pointer !== '/responses/0/checks/0/rule') continue;
        if (within === undefined) throw new Error('no place');
        if (within.start < 0 || within.start > rule.length || within.end <= within.start)
          throw new Error('outside');
      }
    }),
    { seed: 4, numRuns: 1_500 },
  );
  t.ok(loaded > 5, `${loaded} of them are rules`);
});

t.test('a rule that loads never throws, whatever the answer, and only true lets it pass', async (t) => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(sound, fc.array(answer, { minLength: 3, maxLength: 6 }), (text, answers) => {
      const rule = `(${text}) && id == id`;
      const check = ruleOf(rule, readsOf(rule));
      const opposite = ruleOf(`!(${rule})`, readsOf(rule));
      for (const value of answers) {
        const fault = check.run(value, contextOf());
        const other = opposite.run(value, contextOf());
        if (fault !== undefined && !(fault instanceof Fault))
          throw new Error('neither passes nor is a fault');
        const verdict = fault === undefined ? 'holds' : fault.code;
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
        if (verdict === 'holds' && other?.code !== 'CHK_RULE')
          throw new Error('holds, and so does its opposite');
        if (verdict === 'CHK_RULE' && other !== undefined) throw new Error('neither holds');
        if (verdict === 'CHK_RULE_UNDECIDED' && other?.code !== verdict)
          throw new Error('decided only when denied');
      }
    }),
    { seed: 4, numRuns: 600 },
  );
  for (const verdict of ['holds', 'CHK_RULE', 'CHK_RULE_UNDECIDED'])
    t.ok((seen.get(verdict) ?? 0) > 50, `${verdict}: ${seen.get(verdict)}`);
});

t.test('integers are decided as by arithmetic without limit', async (t) => {
  type Tree = { readonly text: string; readonly value: (id: bigint) => bigint | undefined };
  const bounded = (value: bigint | undefined) =>
    value !== undefined && value <= 2n ** 63n - 1n && value >= -(2n ** 63n) ? value : undefined;
  const operate = (op: string, a: bigint, b: bigint): bigint | undefined => {
    if (op === '+') return a + b;
    if (op === '-') return a - b;
    if (op === '*') return a * b;
    if (b === 0n) return undefined;
    return op === '/' ? a / b : a % b;
  };
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constant<Tree>({ text: 'id', value: (id) => id }),
      fc.bigInt({ min: 0n, max: 2n ** 40n }).map((n): Tree => ({ text: `${n}`, value: () => n })),
      fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/', '%'), tie('tree')).map(
        ([a, op, b]): Tree => ({
          text: `(${a.text} ${op} ${b.text})`,
          value(id) {
            const [x, y] = [a.value(id), b.value(id)];
            return x === undefined || y === undefined ? undefined : bounded(operate(op, x, y));
          },
        }),
      ),
    ),
  }));
  fc.assert(
    fc.property(tree, tree, fc.maxSafeInteger(), (a, b, id) => {
      const fault = ruleOf(`${a.text} <= ${b.text} && id == id`, { id: '/id' }).run({ id }, contextOf());
      const [x, y] = [a.value(BigInt(id)), b.value(BigInt(id))];
      const expected =
        x === undefined || y === undefined ? 'CHK_RULE_UNDECIDED' : x <= y ? undefined : 'CHK_RULE';
      if (fault?.code !== expected) throw new Error(`${a.text} <= ${b.text} of ${id}: ${fault?.code}`);
    }),
    { seed: 4, numRuns: 600 },
  );
  t.pass('alike');
});
