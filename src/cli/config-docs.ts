import { ownSchema } from '../config/index.js';
import { BUILT_IN_PROFILES, type FailureProfile, failureReply } from '../envelope/index.js';
import { Fault } from '../fault/index.js';
import { GENERATED, rows } from './docs-text.js';

/** One schema of config/config.schema.json, in the words that it uses. */
interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
}

interface Section {
  readonly path: string;
  readonly schema: Schema;
}

/** Forms of values that many keys share. */
const FORMS = [
  'name',
  'duration',
  'size',
  'count',
  'address',
  'secretName',
  'headerName',
  'headerValue',
  'status',
];

/** docs/configuration.md, from config/config.schema.json and the built-in failure profiles. */
export function configurationDocument(): string {
  const { $defs, ...root } = ownSchema('config') as Schema & { $defs: Record<string, Schema> };
  const reader = new SchemaReader($defs);
  return [
    '# The configuration',
    '',
    GENERATED,
    '',
    'One YAML file: `assay serve --config FILE`, by default `config/assay.yaml`. `assay check` tells everything that is wrong with',
    'it. Editors read [config/config.schema.json](../config/config.schema.json), from which this page is made. A key that is not',
    'here is refused, and so is a key written twice. [config/assay.yaml](../config/assay.yaml) is a whole one, with comments.',
    '',
    ...paragraphs(root.description),
    ...reader.sections(root).flatMap((section) => reader.sectionText(section)),
    '## Forms of values',
    '',
    ...rows(
      ['form', 'what it is', 'pattern', 'example'],
      FORMS.map((name) => {
        const form = reader.form(name);
        const pattern = form.pattern === undefined ? '' : code(form.pattern);
        return [code(name), cell(reader.what(form)), pattern, reader.examples(form)];
      }),
    ),
    '',
    'Where a pattern ends in `|\\$\\{`, the text may also be filled in from the environment.',
    '',
    '## Built-in failure profiles',
    '',
    ...profilesText(),
  ].join('\n');
}

/** Reads the schema with references followed. */
class SchemaReader {
  readonly #defs: Readonly<Record<string, Schema>>;
  /** Where each shared object has its section. */
  readonly #places = new Map<string, string>();

  constructor(defs: Readonly<Record<string, Schema>>) {
    this.#defs = defs;
  }

  form(name: string): Schema {
    const found = this.#defs[name];
    if (found === undefined) throw new Error(`config.schema.json has no ${name}`);
    return found;
  }

  /** A schema with what it refers to; what stands beside the reference wins. */
  whole(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...own } = schema;
    return { ...this.whole(this.form(nameOf($ref))), ...own };
  }

  /** Every object of the file, outermost first; one that stands at several places once. */
  sections(root: Schema): Section[] {
    const found: Section[] = [];
    const visit = (path: string, written: Schema): void => {
      const schema = this.whole(written);
      if (written.$ref !== undefined && schema.properties !== undefined) {
        if (this.#places.has(written.$ref)) return;
        this.#places.set(written.$ref, path);
      }
      if (schema.properties !== undefined) found.push({ path, schema });
      for (const [key, member] of Object.entries(schema.properties ?? {})) {
        visit(within(path, key), member);
      }
      if (typeof schema.additionalProperties === 'object') visit(`${path}.NAME`, schema.additionalProperties);
      if (schema.items !== undefined) visit(`${path}[]`, schema.items);
      for (const one of schema.anyOf ?? []) visit(path, one);
    };
    visit('', root);
    return found;
  }

  sectionText({ path, schema }: Section): string[] {
    const required = new Set(schema.required);
    return [
      path === '' ? '## At the top' : `## \`${path}\``,
      '',
      ...(path === '' ? [] : paragraphs(this.what(schema))),
      ...rows(
        ['key', 'type', 'default', 'what it is', 'example'],
        Object.entries(schema.properties ?? {}).map(([key, written]) => {
          const member = this.whole(written);
          return [
            code(key),
            this.#type(written, within(path, key)),
            required.has(key)
              ? 'required'
              : member.default === undefined
                ? ''
                : code(JSON.stringify(member.default)),
            cell(this.what(member)),
            this.examples(member),
          ];
        }),
      ),
      '',
    ];
  }

  what({ title, description = '' }: Schema): string {
    return title === undefined ? description : `${title}. ${description}`;
  }

  /** Where the schema has none, what it is anyway or may be. */
  examples(schema: Schema): string {
    const value = schema.const ?? schema.enum?.find((one) => one !== schema.default);
    const examples = schema.examples ?? (value === undefined ? [] : [value]);
    return examples.map((example) => code(JSON.stringify(example))).join(', ');
  }

  #type(written: Schema, path: string): string {
    const schema = this.whole(written);
    const form = this.#form(written);
    const between = bounds(schema);
    if (form !== undefined) return `[${form}](#forms-of-values)${form === 'status' ? '' : between}`;
    if (schema.not !== undefined && schema.type === undefined) return 'not allowed';
    if (schema.const !== undefined) return code(JSON.stringify(schema.const));
    if (schema.enum !== undefined)
      return schema.enum.map((value) => code(JSON.stringify(value))).join(' or ');
    if (schema.anyOf !== undefined) return schema.anyOf.map((one) => this.#type(one, path)).join(' or ');
    if (schema.items !== undefined) return `list of ${this.#type(schema.items, `${path}[]`)}`;
    if (typeof schema.additionalProperties === 'object')
      return `map of names to ${this.#type(schema.additionalProperties, `${path}.NAME`)}`;
    if (schema.properties !== undefined) {
      const place = this.#places.get(written.$ref ?? '') ?? path;
      return `object, [${place}](#${place.toLowerCase().replace(/[^a-z0-9_-]/g, '')})`;
    }
    if (schema.type === 'string')
      return schema.pattern === undefined ? 'text' : `text ${code(schema.pattern)}`;
    return `${schema.type ?? 'any JSON value'}${between}`;
  }

  /** The shared form that a schema refers to, at whatever remove. */
  #form({ $ref }: Schema): string | undefined {
    if ($ref === undefined) return undefined;
    const name = nameOf($ref);
    return FORMS.includes(name) ? name : this.#form(this.form(name));
  }
}

/** A call of which the profiles are shown. */
const SAMPLE = { tool: 'review_status', requestId: 'req.4vXbQ0yTz8LwKd2R', fault: new Fault('CHK_BIND') };

function profilesText(): string[] {
  return [
    'What `failure_profile` can name without writing one. Only the three placeholders are filled in: `{code}` with the agent code,',
    '`{retryable}` with `true` or `false` (in a body without quotes), `{request_id}` with the request id. Each answer also has the',
    'headers `content-type: application/json`, `cache-control: no-store`, `x-request-id` and `x-should-retry`, and those of',
    '`answer_headers`; one with status 401 has `www-authenticate` with the schemes that `agent_auth` takes, and one that may be',
    'repeated has `retry-after` where a time is known. A status of the profile replaces that of the agent code and of `statuses`.',
    "How vendors' own clients take them is in [clients.md](clients.md).",
    '',
    `Below each profile stands the answer to a call of the tool \`${SAMPLE.tool}\` that failed with \`${SAMPLE.fault.agent}\`.`,
    '',
    ...[...BUILT_IN_PROFILES.values()].flatMap(profileText),
  ];
}

function profileText(profile: FailureProfile): string[] {
  const headers = Object.entries(profile.headers).map(([name, value]) => code(`${name}: ${value}`));
  const reply = failureReply(SAMPLE.tool, SAMPLE.requestId, SAMPLE.fault, profile, {});
  return [
    `### ${profile.name}`,
    '',
    `- Status: ${profile.status ?? 'that of the agent code'}`,
    `- Headers: ${headers.length === 0 ? 'none of its own' : headers.join(', ')}`,
    `- Body: ${profile.body === undefined ? 'the envelope; `tool` is `null` where no route matched' : code(JSON.stringify(profile.body))}`,
    '',
    '```http',
    `HTTP/1.1 ${reply.status}`,
    ...Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    Buffer.from(reply.body).toString(),
    '```',
    '',
  ];
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function bounds({ minimum, maximum }: Schema): string {
  if (maximum === undefined) return minimum === undefined ? '' : `, at least ${minimum}`;
  return `, ${minimum ?? 0} to ${maximum}`;
}

function nameOf(ref: string): string {
  return ref.slice('#/$defs/'.length);
}

function paragraphs(text: string | undefined): string[] {
  return text === undefined ? [] : [text, ''];
}

/** In a table a `|` ends the cell even within backquotes. */
function code(text: string): string {
  const quotes = text.includes('`') ? '``' : '`';
  return `${quotes}${text.replaceAll('|', '\\|')}${quotes}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
