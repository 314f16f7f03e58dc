import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type BenchBody, BODIES } from './bodies.js';

/** What people write who trust the upstream: Ajv as it comes, with the same schema that the contract has. */
export type Validate = (answer: unknown) => boolean;

/** The validators of every body. */
export function validators(): ReadonlyMap<BenchBody, Validate> {
  const ajv = new Ajv2020({ allErrors: false });
  addFormats.default(ajv);
  return new Map(
    BODIES.map((body) => {
      const validate = ajv.compile(body.schema);
      return [body, (answer) => validate(answer) === true];
    }),
  );
}
