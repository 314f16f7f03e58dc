import { readFileSync, writeFileSync } from 'node:fs';
import { _, Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { COMPILED_FILE, OWN_SCHEMAS, sha256 } from './compiled-schemas.js';
import { META_SCHEMA_OPTIONS } from './meta-schema.js';
import { SHAPE_OPTIONS } from './shape.js';
import { DIALECT } from './sound-keywords.js';

/** `npm run build`: writes the module of compiled-schemas.ts, from config/*.schema.json, beside the compiled output. */
const shapes = OWN_SCHEMAS.map((name) => {
  const text = readFileSync(new URL(`../../../config/${name}.schema.json`, import.meta.url), 'utf8');
  const ajv = fastAjv(SHAPE_OPTIONS);
  const accepts = codeOf(ajv, ajv.compile(JSON.parse(text) as object));
  return `${name}: { sha256: '${sha256(text)}', accepts: ${accepts} }`;
});
const ajv = fastAjv(META_SCHEMA_OPTIONS);
const metaSchema = ajv.getSchema(DIALECT);
if (metaSchema === undefined) throw new Error('the meta-schema is missing');
writeFileSync(
  COMPILED_FILE,
  `exports.shapes = {\n${shapes.join(',\n')}\n};\nexports.metaSchema = ${codeOf(ajv, metaSchema)};\n`,
);

/** A validator that only says yes or no, and never yes where the one of the options alone says no. */
function fastAjv(options: Options): Ajv2020 {
  const made = new Ajv2020({
    ...options,
    allErrors: false,
    verbose: false,
    messages: false,
    code: { source: true },
  });
  made.removeKeyword('uniqueItems');
  made.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    // unique-items.ts cannot be called from there. Equal items have equal texts; that some others do as well, which differ
    // only deep inside, is for the other validator to find out.
    code(context) {
      const text = _`JSON.stringify(x, x === null || typeof x !== "object" ? undefined : Object.keys(x).sort())`;
      const { data, schema } = context;
      if (schema === true) context.pass(_`new Set(${data}.map((x) => ${text})).size === ${data}.length`);
    },
  });
  return made;
}

/** The module that Ajv makes of a validator, as an expression. */
function codeOf(from: Ajv2020, validate: ValidateFunction): string {
  return `((module) => { ${standalone.default(from, validate)}\nreturn module.exports; })({})`;
}
