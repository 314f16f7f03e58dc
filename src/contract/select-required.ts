import type { Problem } from '../fault/index.js';
import { type Bundle, writtenAt } from './bundle.js';
import { conjunction, requiredNames } from './conjunction.js';
import type { SchemaNode } from './keywords.js';
import { below, type Place, problemAt } from './place.js';

/**
 * What the result's schemas require of an object and its fields do not surely give.
 *
 * @param schemas those that apply to the object whatever is chosen
 * @param produced names of fields that are always there
 * @param maybe names of fields that are optional
 * @param place of the fields in contract.yaml
 */
export function missingFields(
  result: Bundle,
  schemas: readonly SchemaNode[],
  produced: ReadonlySet<string>,
  maybe: ReadonlySet<string>,
  place: Place,
): Problem[] {
  const problems: Problem[] = [];
  const say = (at: Place, message: string, remedy: string) =>
    problems.push(problemAt(at, { rule: 'result-requires', message, remedy, atKey: true }));

  const { nodes, choices } = conjunction(result, schemas);
  for (const name of requiredNames(nodes)) {
    if (produced.has(name)) continue;
    const where = `the result schema requires "${name}" (${writtenAt(result, schemas)})`;
    if (maybe.has(name)) {
      const message = `${where}, and the field "${name}" is optional`;
      say(below(place, name), message, 'remove optional, or take it out of required');
    } else {
      const message = `${where}, and select does not give it`;
      say(place, message, `add the field ${name}, or take it out of required`);
    }
  }
  for (const { options } of choices) {
    const lacking = options.map((option) => {
      const needs = requiredNames(conjunction(result, [option]).nodes);
      return [...needs].filter((name) => !produced.has(name) && !maybe.has(name));
    });
    if (lacking.length === 0 || lacking.some((names) => names.length === 0)) continue;
    const names = lacking.flat().map((name) => `"${name}"`);
    const message = `every branch of the result schema requires what select does not give: ${names.join(', ')}`;
    say(place, message, 'add the fields of one branch');
  }
  return problems;
}
