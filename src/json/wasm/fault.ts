import { Fault } from '../../fault/index.js';
import { formatPointer } from '../pointer.js';
import { MAX_SEGMENT_UNITS, MAX_SEGMENTS } from '../pointer-bounds.js';
import { codeOf, noteOf } from './codes.js';
import type { Instance } from './instance.js';
import type { ScanPlan } from './plan.js';

const ELLIPSIS = '\u2026';

/** What an instance says of the document that it has just refused. */
export function faultOf(instance: Instance, plan: ScanPlan, number: number): Fault {
  const code = codeOf(number);
  const note = noteOf(code, plan.limits);
  return new Fault(code, {
    ...instance.faultPlace,
    instance: pointerTo(instance.path(MAX_SEGMENTS + 1, MAX_SEGMENT_UNITS + 1)),
    ...(note === undefined ? {} : { note }),
  });
}

/** Bounded in steps and in the length of each: names are upstream text. */
function pointerTo(path: readonly (number | string)[]): string {
  const segments = path
    .slice(0, MAX_SEGMENTS)
    .map((step) => (typeof step === 'number' ? String(step) : cut(step)));
  if (path.length > MAX_SEGMENTS) segments.push(ELLIPSIS);
  return formatPointer(segments);
}

function cut(name: string): string {
  if (name.length <= MAX_SEGMENT_UNITS) return name;
  // Never half a surrogate pair.
  return name.slice(0, MAX_SEGMENT_UNITS).replace(/[\ud800-\udbff]$/, '') + ELLIPSIS;
}
