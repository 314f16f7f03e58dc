import { FORMATS } from './formats.js';
import { KEYWORDS } from './keywords.js';
import { compilePattern } from './pattern.js';
import type { Finding, SchemaRule } from './sound.js';

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Keywords that people bring along from elsewhere, and what takes their place. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  $id: 'remove it: a schema is known by its file name',
  id: 'remove it: a schema is known by its file name',
  $anchor: 'point at the schema with a JSON Pointer: #/$defs/name',
  $dynamicRef: 'use $ref: what a dynamic reference means depends on who refers',
  $dynamicAnchor: 'use $defs and $ref',
  $recursiveRef: 'use $ref: "#"',
  $recursiveAnchor: 'use $ref: "#"',
  $vocabulary: 'remove it: it belongs to meta-schemas',
  $async: 'remove it: a check that answers later decides nothing now',
  $data: 'write the value itself: the data must not choose its own limits',
  unevaluatedItems: 'use items: false after prefixItems',
  definitions: 'move them to $defs',
  dependencies: 'use dependentRequired or dependentSchemas',
  additionalItems: 'use prefixItems, and items for the rest',
  nullable: 'write type: [string, "null"]',
  discriminator: 'tell the branches of oneOf apart by a const member',
  example: 'use examples, a list',
  xml: 'remove it: it is of OpenAPI and says nothing about JSON',
  externalDocs: 'use description',
  contentEncoding: 'remove it: nothing checks it; use pattern',
  contentMediaType: 'remove it: nothing checks it',
  contentSchema: 'remove it: nothing checks it',
};

const unknownKeyword: SchemaRule = {
  name: 'unknown-keyword',
  check: ({ node }) =>
    Object.keys(node)
      .filter((keyword) => !Object.hasOwn(KEYWORDS, keyword))
      .map((keyword) => ({
        path: [keyword],
        atKey: true,
        message: `"${keyword}" is not a keyword that a contract can use`,
        remedy: Object.hasOwn(ELSEWHERE, keyword)
          ? (ELSEWHERE[keyword] ?? '')
          : 'remove it, or use a keyword of JSON Schema 2020-12',
      })),
};

const dialect: SchemaRule = {
  name: 'other-dialect',
  check({ node, isRoot }) {
    if (node.$schema === undefined || (isRoot && node.$schema === DIALECT)) return [];
    const message = isRoot ? 'the schema is of another dialect' : '$schema stands inside a schema';
    return [{ path: ['$schema'], message, remedy: `write "${DIALECT}" at the top of the file, or nothing` }];
  },
};

const condition: SchemaRule = {
  name: 'half-condition',
  check({ node }) {
    const has = (keyword: string) => Object.hasOwn(node, keyword);
    if (has('if') && !has('then') && !has('else')) {
      return [finding('if', 'if stands without then and else, and so decides nothing', 'add then or else')];
    }
    return ['then', 'else']
      .filter((keyword) => has(keyword) && !has('if'))
      .map((keyword) => finding(keyword, `${keyword} stands without if, and so decides nothing`, 'add if'));
  },
};

const contains: SchemaRule = {
  name: 'idle-contains',
  check({ node }) {
    const { minContains, maxContains } = node;
    if (node.contains === undefined) {
      return ['minContains', 'maxContains']
        .filter((keyword) => node[keyword] !== undefined)
        .map((keyword) => finding(keyword, `${keyword} stands without contains`, 'add contains'));
    }
    if (minContains === 0 && maxContains === undefined) {
      return [finding('minContains', 'contains with minContains: 0 allows everything', 'remove both')];
    }
    if (
      typeof maxContains === 'number' &&
      maxContains < (typeof minContains === 'number' ? minContains : 1)
    ) {
      return [finding('maxContains', 'maxContains is smaller than minContains', 'exchange the two')];
    }
    return [];
  },
};

const format: SchemaRule = {
  name: 'unasserted-format',
  check: ({ node }) =>
    node.format === undefined || (typeof node.format === 'string' && FORMATS.has(node.format))
      ? []
      : [
          finding(
            'format',
            'nothing checks this format',
            `use pattern, or one of ${[...FORMATS.keys()].sort().join(', ')}`,
          ),
        ],
};

const pattern: SchemaRule = {
  name: 'pattern',
  check({ node }) {
    const all: [path: string[], text: string][] = [];
    if (typeof node.pattern === 'string') all.push([['pattern'], node.pattern]);
    for (const text of Object.keys(node.patternProperties ?? {}))
      all.push([['patternProperties', text], text]);
    return all.flatMap(([path, text]) => {
      const compiled = compilePattern(text);
      if (typeof compiled !== 'string') return [];
      const remedy = 'write a pattern of characters, classes, groups and repetitions';
      return [{ path, atKey: path.length > 1, message: `the pattern ${compiled}`, remedy }];
    });
  },
};

function finding(keyword: string, message: string, remedy: string): Finding {
  return { path: [keyword], atKey: true, message, remedy };
}

export const keywordRules: readonly SchemaRule[] = [
  unknownKeyword,
  dialect,
  condition,
  contains,
  format,
  pattern,
];
