import '@hyperjump/json-schema/formats';
import {
  registerSchema,
  setShouldValidateFormat,
  setShouldValidateSchema,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12';

setShouldValidateFormat(true);
setShouldValidateSchema(false);

let count = 0;

/**
 * An independent validator of JSON Schema 2020-12, for a schema that refers to nothing outside itself: it would fetch
 * what a reference names.
 */
export async function oracle(schema: object | boolean): Promise<(value: unknown) => boolean> {
  const text = JSON.stringify(schema);
  if (/"\$(?:ref|dynamicRef|id)":"[^#]/.test(text))
    throw new Error('the schema refers to something outside itself');
  const uri = `https://oracle.invalid/${count++}`;
  registerSchema(JSON.parse(text) as boolean, uri, 'https://json-schema.org/draft/2020-12/schema');
  try {
    const compiled = await validate(uri);
    return (value) => compiled(value as never).valid;
  } finally {
    unregisterSchema(uri);
  }
}
