import type { SchemaNode } from './keywords.js';
import type { Place } from './place.js';
import { keywordRules } from './sound-keywords.js';
import { objectRules } from './sound-objects.js';
import { referenceRules } from './sound-references.js';
import { typeRules } from './sound-types.js';
import { valueRules } from './sound-values.js';

/** A schema and where it stands, as a rule sees it. */
export interface Site {
  /** The schema; `true` is seen as `{}` and `false` as `{ not: {} }`, which mean the same. */
  readonly node: SchemaNode;
  readonly place: Place;
  /** The whole file, or the whole of a schema written in place in contract.yaml. */
  readonly isRoot: boolean;
  /** Types that the schemas around it, which apply to the same value, allow; undefined where none of them says. */
  readonly types: readonly string[] | undefined;
  /** The subschema at a path from here. */
  at(path: readonly string[]): Site | undefined;
  /** What a `$ref` in this document leads to, or a sentence (without subject) that says why it leads nowhere. */
  resolve(ref: string): Site | string;
}

/** What a rule found, relative to the schema it looked at. */
export interface Finding {
  readonly path: readonly string[];
  readonly message: string;
  readonly remedy: string;
  readonly atKey?: boolean;
}

/** One way in which a schema can fail to mean what it says. A schema that breaks a rule does not load. */
export interface SchemaRule {
  readonly name: string;
  check(site: Site): readonly Finding[];
}

/**
 * The sound profile: on schemas that keep these rules the validator decides exactly as JSON Schema 2020-12 says.
 * Everything else is refused when the contract loads.
 */
export const SOUND_RULES: readonly SchemaRule[] = [
  ...keywordRules,
  ...referenceRules,
  ...objectRules,
  ...valueRules,
];

/** Rules about schemas that are sound, but allow more than they seem to. */
export const EXPLICIT_RULES: readonly SchemaRule[] = typeRules;
