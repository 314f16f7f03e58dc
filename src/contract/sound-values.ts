import { isPrototypeName } from './prototype-names.js';
import type { Finding, SchemaRule } from './sound.js';

const multipleOf: SchemaRule = {
  name: 'fractional-multiple',
  check({ node }) {
    if (node.multipleOf === undefined || Number.isSafeInteger(node.multipleOf)) return [];
    const message =
      'multipleOf is a fraction, on which doubles disagree with decimals (19.99 is no multiple of 0.01)';
    return [
      { path: ['multipleOf'], message, remedy: 'count in the smallest unit, such as cents, as an integer' },
    ];
  },
};

const unique: SchemaRule = {
  name: 'unbounded-unique',
  check({ node }) {
    if (node.uniqueItems !== true || typeof node.maxItems === 'number') return [];
    const message = 'uniqueItems stands without maxItems, so its cost has no bound';
    return [{ path: ['uniqueItems'], atKey: true, message, remedy: 'add maxItems' }];
  },
};

const enumeration: SchemaRule = {
  name: 'empty-enum',
  check: ({ node }) =>
    Array.isArray(node.enum) && node.enum.length === 0
      ? [
          {
            path: ['enum'],
            message: 'enum is empty, so nothing passes',
            remedy: 'list the values, or write false',
          },
        ]
      : [],
};

/** Numbers that a double holds only rounded would compare equal to their neighbours. */
const exactNumber: SchemaRule = {
  name: 'inexact-number',
  check: ({ node }) =>
    [...literals(node)].flatMap(({ path, value }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? [
            {
              path,
              message: 'an integer beyond 2^53-1 is not exact',
              remedy: 'use numbers: string and a pattern',
            },
          ]
        : [],
    ),
};

const literalNames: SchemaRule = {
  name: 'prototype-name',
  check: ({ node }) =>
    [...literals(node)].flatMap(({ path }) => {
      const name = path.at(-1) ?? '';
      if (!isPrototypeName(name)) return [];
      const message = `"${name}" is a name that every JavaScript object answers to, so it cannot be compared`;
      return [{ path, atKey: true, message, remedy: 'leave it out' }];
    }),
};

const dataReference: SchemaRule = {
  name: 'data-reference',
  check: ({ node }) =>
    [...literals(node)].flatMap(({ path }): Finding[] =>
      path.at(-1) === '$data'
        ? [
            {
              path,
              atKey: true,
              message: '$data would let the data choose',
              remedy: 'write the value itself',
            },
          ]
        : [],
    ),
};

const COMPARED = ['const', 'enum', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'];

/** Every value, however deep, that a schema compares data with. */
function* literals(node: Readonly<Record<string, unknown>>): Generator<{ path: string[]; value: unknown }> {
  const open = COMPARED.filter((keyword) => Object.hasOwn(node, keyword)).map((keyword) => ({
    path: [keyword],
    value: node[keyword],
  }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [name, value] of Object.entries(next.value)) open.push({ path: [...next.path, name], value });
  }
}

export const valueRules: readonly SchemaRule[] = [
  multipleOf,
  unique,
  enumeration,
  exactNumber,
  literalNames,
  dataReference,
];
