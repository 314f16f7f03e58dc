import fc from 'fast-check';
import t from 'tap';
import { Document, type Scalar, stringify } from 'yaml';
import { TextLines } from '../../src/config/text-lines.js';
import { parseWhole } from '../../src/config/yaml-file.js';

const STYLES = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;

/** The character of the file that is shown for a unit of the value at /checks/0/rule. */
function shown(
  text: string,
  start: number,
  end = start + 1,
): { readonly at: string; readonly length: number } {
  const file = parseWhole(text);
  const place = file.locate('/checks/0/rule', false, { start, end });
  return { at: new TextLines(text).line(place.line).slice(place.column - 1), length: place.length };
}

t.test('each unit of a text is found where the file writes it', async (t) => {
  const part = fc.constantFrom(
    'a',
    'bb',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '"',
    "''",
    '\\',
    '\t',
    '\u00e9',
    '#',
    ': ',
    '- ',
    '&&',
    '\u{1f600}',
  );
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 25 }).map((parts) => parts.join('')),
      fc.constantFrom(...STYLES),
      fc.constantFrom(12, 24, 80),
      (value, type, lineWidth) => {
        const document = new Document({ checks: [{ id: 'x', rule: value, more: 1 }] });
        const node = document.getIn(['checks', 0, 'rule'], true) as Scalar;
        node.type = type;
        const text = document.toString({ lineWidth });
        const file = parseWhole(text);
        // What the package writes does not always read as what it was given.
        const read = (file.value as { checks: { rule: unknown }[] } | undefined)?.checks[0]?.rule;
        if (read !== value) return;
        for (let i = 0; i < value.length; i++) {
          const unit = value[i] ?? '';
          // What an escape or the end of a line stands for does not look like it.
          if (/[\s"'\\\ud800-\udfff\u00e9]/.test(unit)) continue;
          const { at } = shown(text, i);
          if (!at.startsWith(unit))
            throw new Error(`${JSON.stringify(unit)} at ${i} is shown as ${at} in\n${text}`);
          compared++;
        }
      },
    ),
    { seed: 4, numRuns: 400 },
  );
  t.ok(compared > 1_000, `${compared} units`);
});

t.test('a part is shown as long as it is written', async (t) => {
  const file = (rule: string) => `checks:\n  - rule: ${rule}\n    id: x\n`;
  const cases: [rule: string, start: number, end: number, at: string, length: number][] = [
    ['a && bcd && e', 5, 8, 'bcd && e', 3],
    [`'it''s bcd'`, 5, 8, `bcd'`, 3],
    [`'it''s bcd'`, 1, 4, `t''s bcd'`, 4],
    ['"\\u00e9\\t bcd"', 3, 6, 'bcd"', 3],
    ['"\\u00e9bc"', 0, 2, '\\u00e9bc"', 7],
    ['"\\U0001f600bc"', 2, 4, 'bc"', 2],
    ['"a\\\n      bcd"', 1, 4, 'bcd"', 3],
    ['a\n      bcd e', 2, 5, 'bcd e', 3],
    ['a\n\n      bcd e', 2, 5, 'bcd e', 3],
    ['|\n      a\n        bcd\n      e', 4, 7, 'bcd', 3],
    ['>-\n      a\n      bcd\n      e', 2, 5, 'bcd', 3],
    // A part over several lines is shown on its first one.
    ['|\n      abc\n      def', 1, 6, 'bc', 2],
    // Behind the end.
    ['abc', 3, 4, '', 1],
    ['"abc"', 3, 4, '"', 1],
    // An alias has the text elsewhere.
    ['*there', 1, 2, '*there', 6],
  ];
  for (const [rule, start, end, at, length] of cases) {
    const text = rule.startsWith('*') ? `other: &there abc\n${file(rule)}` : file(rule);
    t.strictSame(shown(text, start, end), { at, length }, JSON.stringify(rule));
  }
  t.strictSame(
    shown(stringify({ checks: [{ rule: 7 }] }), 0, 1),
    { at: '7', length: 1 },
    'a number is no text',
  );
});
