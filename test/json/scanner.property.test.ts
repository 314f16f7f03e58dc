import { strict as assert } from 'node:assert';
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import t from 'tap';
import { KEEP, type Projection } from '../../src/json/index.js';
import { body, documentText, options, projection } from './documents.js';
import { everyCut, scan } from './scan-support.js';

const SEED = 20_250_601;
const VALUE_RULE = /^PRS_(INTEGER_RANGE|NUMBER_PRECISION|SURROGATE|PROTO_NAME)$/;

/** Properties use node:assert, so that a counterexample is shrunk; `counts` then show that no case was vacuous. */
function counter(): { count(what: string): void; readonly counts: Record<string, number> } {
  const counts: Record<string, number> = {};
  return {
    counts,
    count(what) {
      counts[what] = (counts[what] ?? 0) + 1;
    },
  };
}

t.test('the outcome does not depend on where the body is cut', async (t) => {
  const { count, counts } = counter();
  fc.assert(
    fc.property(body, options, fc.array(fc.nat(), { maxLength: 6 }), (bytes, options, cuts) => {
      const whole = scan(bytes, options);
      count('code' in whole ? 'refused' : 'accepted');
      assert.deepEqual(scan(bytes, options, everyCut(bytes.length)), whole);
      const inside = cuts.map((cut) => cut % (bytes.length + 1));
      assert.deepEqual(scan(bytes, options, inside), whole);
    }),
    { seed: SEED, numRuns: 3_000 },
  );
  t.ok((counts.refused ?? 0) > 500 && (counts.accepted ?? 0) > 500, JSON.stringify(counts));
});

t.test('JSON.parse accepts all that is accepted, with the same value, and no member is lost', async (t) => {
  const { count, counts } = counter();
  fc.assert(
    fc.property(body, (bytes) => {
      const outcome = scan(bytes);
      const text = bytes.toString();
      if ('code' in outcome) {
        count(outcome.code);
        return;
      }
      count('accepted');
      assert.ok(isUtf8(bytes));
      assert.equal(outcome.kept, compact(text));
      const value: unknown = JSON.parse(text);
      assert.deepEqual(JSON.parse(outcome.kept), value);
      assert.equal(membersIn(value), namesIn(text));
    }),
    { seed: SEED, numRuns: 4_000 },
  );
  t.ok((counts.accepted ?? 0) > 500, JSON.stringify(counts));
  for (const code of ['PRS_UTF8', 'PRS_SYNTAX', 'PRS_TRUNCATED', 'PRS_DUPLICATE_NAME']) {
    t.ok((counts[code] ?? 0) > 20, `${code} is met`);
  }
});

t.test('what JSON.parse accepts is refused only for a rule beyond the grammar', async (t) => {
  const { count, counts } = counter();
  fc.assert(
    fc.property(body, (bytes) => {
      const text = bytes.toString();
      const outcome = scan(bytes);
      if (!isUtf8(bytes) || !parses(text)) {
        assert.ok('code' in outcome, 'JSON.parse refuses it');
        count('refused by both');
      } else if ('code' in outcome) {
        assert.match(
          outcome.code,
          /^PRS_(DUPLICATE_NAME|INTEGER_RANGE|NUMBER_PRECISION|SURROGATE|PROTO_NAME)$/,
        );
        if (outcome.code === 'PRS_DUPLICATE_NAME') assert.ok(membersIn(JSON.parse(text)) < namesIn(text));
        count(outcome.code);
      }
    }),
    { seed: SEED + 1, numRuns: 10_000 },
  );
  for (const code of ['refused by both', 'PRS_DUPLICATE_NAME', 'PRS_SURROGATE', 'PRS_NUMBER_PRECISION']) {
    t.ok((counts[code] ?? 0) > 20, `${code} is met: ${counts[code]}`);
  }
});

t.test('the kept part is the projection of the value', async (t) => {
  const { count, counts } = counter();
  fc.assert(
    fc.property(documentText, projection, (text, projection) => {
      const outcome = scan(text, { projection });
      if ('code' in outcome) {
        count('refused');
        return;
      }
      count('accepted');
      assert.deepEqual(JSON.parse(outcome.kept), project(JSON.parse(text), projection));
      assert.equal(outcome.kept, compact(outcome.kept), 'no white space');
    }),
    { seed: SEED + 2, numRuns: 3_000 },
  );
  t.ok((counts.accepted ?? 0) > 500, JSON.stringify(counts));
});

t.test('a document rule is broken at the same place whatever is kept', async (t) => {
  const { count, counts } = counter();
  fc.assert(
    fc.property(body, options, (bytes, options) => {
      const whole = scan(bytes, { ...options, projection: KEEP });
      const part = scan(bytes, options);
      if (!('code' in whole)) assert.ok(!('code' in part), 'keeping less refuses nothing more');
      else if (!VALUE_RULE.test(whole.code)) {
        assert.deepEqual(part, whole);
        count('document rule');
      } else count('value rule');
    }),
    { seed: SEED + 3, numRuns: 3_000 },
  );
  t.ok((counts['document rule'] ?? 0) > 500 && (counts['value rule'] ?? 0) > 20, JSON.stringify(counts));
});

t.test('no earlier byte could have been blamed', async () => {
  fc.assert(
    fc.property(body, options, (bytes, options) => {
      const whole = scan(bytes, options);
      if (!('code' in whole) || whole.offset === undefined) return;
      assert.ok(whole.offset >= 0 && whole.offset <= bytes.length);
      // Up to the offset nothing is wrong but that the end comes early.
      const before = scan(bytes.subarray(0, whole.offset), options);
      if ('code' in before) assert.match(before.code, /^PRS_(TRUNCATED|EMPTY)$/);
      const text = bytes.subarray(0, whole.offset).toString('latin1');
      assert.equal(whole.line, text.split('\n').length);
      assert.equal(whole.column, text.length - text.lastIndexOf('\n'));
    }),
    { seed: SEED + 4, numRuns: 3_000 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of a document without the white space outside of its strings. */
function compact(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, '$1');
}

/** Names in the text of a document: strings before a colon. */
function namesIn(text: string): number {
  return text.match(/"(?:[^"\\]|\\.)*"(?=[ \t\r\n]*:)/g)?.length ?? 0;
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + membersIn(inner), own);
}

/** What a projection means, over values. */
function project(value: unknown, projection: Projection): unknown {
  if (projection === KEEP || typeof value !== 'object' || value === null) return value;
  const { members, items } = projection;
  if (Array.isArray(value)) return items === undefined ? [] : value.map((item) => project(item, items));
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const how = members.get(name);
    return how === undefined ? [] : [[name, project(inner, how)] as const];
  });
  return Object.fromEntries(kept);
}
