import type { Problem } from '../fault/index.js';
import { formatPointer } from '../json/index.js';

/** Where something is written: in a schema file, or in contract.yaml (document undefined). */
export interface Place {
  readonly document: string | undefined;
  readonly path: readonly string[];
}

/** A place in contract.yaml. */
export function inContract(...path: readonly string[]): Place {
  return { document: undefined, path };
}

export function below(place: Place, ...path: readonly string[]): Place {
  return { document: place.document, path: [...place.path, ...path] };
}

/** `review.schema.json#/properties/state`, or `/responses/0/select/state` in contract.yaml. */
export function describePlace(place: Place): string {
  const pointer = formatPointer(place.path);
  return place.document === undefined ? pointer : `${place.document}#${pointer}`;
}

export interface Trouble {
  readonly rule: string;
  /** What is wrong, one sentence. */
  readonly message: string;
  /** What to write instead, one sentence. */
  readonly remedy: string;
  /** Point at the member's name instead of its value. */
  readonly atKey?: boolean;
}

export function problemAt(place: Place, trouble: Trouble): Problem {
  return {
    pointer: formatPointer(place.path),
    ...(place.document === undefined ? {} : { document: place.document }),
    ...trouble,
  };
}
