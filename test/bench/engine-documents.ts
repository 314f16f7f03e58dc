import { createRequire } from 'node:module';
import { SMALL } from './bodies.js';
import { packageFiles } from './registry-package.js';

export interface EngineDocument {
  readonly label: string;
  /** One document, or many that are scanned one after another. */
  readonly bodies: readonly Buffer[];
  /** How many times faster than JSON.parse its scan is wanted to be. */
  readonly bar?: number;
}

/** The usual documents of JSON benchmarks, in the package of the parser that is known for them. */
const SIMDJSON = {
  name: 'simdjson',
  version: '0.9.2',
  integrity:
    'sha512-CW97acb8ty4EcxJGsCTrgxh1iiqLKbcuaIAte4DjPdoytK2ps1cRN1HpBJjIzqaL5cn1m/Dqc4AqA6NlKPPKKA==',
};

/** Name and bar. */
const FILES: readonly (readonly [string, number?])[] = [
  ['twitter', 3],
  ['citm_catalog', 3],
  ['github_events', 3],
  ['gsoc-2018', 3],
  ['canada', 1.5],
  ['mesh', 1.5],
  ['update-center'],
  ['apache_builds'],
  ['twitterescaped'],
];

/** What there is to scan; a sentence for what could not be had. */
export function engineDocuments(): {
  readonly documents: readonly EngineDocument[];
  readonly missing: string | undefined;
} {
  const own: readonly EngineDocument[] = [
    { label: '109 B answer', bodies: [SMALL.bytes], bar: 1 },
    { label: `${webhooks().length} GitHub webhooks`, bodies: webhooks(), bar: 3 },
  ];
  try {
    const files = packageFiles(SIMDJSON.name, SIMDJSON.version, SIMDJSON.integrity);
    const common = FILES.map(([name, bar]): EngineDocument => {
      const body = files.get(`package/jsonexamples/${name}.json`);
      if (body === undefined) throw new Error(`the package has no ${name}.json`);
      return { label: name, bodies: [Buffer.from(body)], ...(bar === undefined ? {} : { bar }) };
    });
    return { documents: [...own, ...common], missing: undefined };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { documents: own, missing: `The documents of ${SIMDJSON.name} could not be had: ${why}` };
  }
}

function webhooks(): Buffer[] {
  const events = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
    readonly examples: readonly unknown[];
  }[];
  return events.flatMap(({ examples }) => examples).map((example) => Buffer.from(JSON.stringify(example)));
}
