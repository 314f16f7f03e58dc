import { Fault } from '../fault/index.js';
import { compileScanPlan, KEEP, scanWhole } from '../json/index.js';
import { NOT_PLAIN, PLAIN_TEXT } from './plain-text.js';

/** What makes a key that means more than it says, could hide one, or is written as few people do. */
const NOT_EVERYDAY = /__proto__|"<<"|\\u|"[ \n]+:/;

/** Lower than what the whole parser takes: what is beyond is left to it. */
const PLAN = compileScanPlan({
  limits: {
    depth: 50,
    members: 2_000,
    items: 20_000,
    tokens: 500_000,
    nameBytes: 200,
    stringBytes: 1_048_576,
    numberBytes: 64,
  },
  projection: KEEP,
});

/**
 * Reads a file of JSON that the strict scanner takes: no repeated name, no number that a double would round. Where it gives
 * a value, the whole parser gives the same one and finds no problem; everything else is NOT_PLAIN.
 */
export function plainJson(text: string): unknown {
  if (!/^[{[]/.test(text) || !PLAIN_TEXT.test(text) || NOT_EVERYDAY.test(text)) return NOT_PLAIN;
  return scanWhole(Buffer.from(text), PLAN) instanceof Fault ? NOT_PLAIN : (JSON.parse(text) as unknown);
}
