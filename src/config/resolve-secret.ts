import { join, resolve } from 'node:path';
import type { Problem } from '../fault/index.js';
import { readBytes } from './read-file.js';
import { Secret } from './secret.js';

/** Where secrets are looked up. */
export interface SecretSources {
  readonly env: NodeJS.ProcessEnv;
  /** Where Docker and Kubernetes put secrets as files: `/run/secrets`. */
  readonly folder: string;
  /** Where a relative path in NAME_FILE starts. */
  readonly cwd: string;
}

/** Why there is no usable secret; `secret-missing` says that it is nowhere. Never holds a value. */
export type SecretFinding = Pick<Problem, 'rule' | 'message' | 'remedy'>;

const MAX_BYTES = 16_384;

/**
 * The value of a secret: environment variable NAME, else the file that NAME_FILE points to, else the file NAME in the
 * secrets folder; line ends at its end are cut off. An empty variable counts as unset. A secret that is empty, is more
 * than printable ASCII (RFC 9110 section 5.5), or that two variables claim is refused.
 */
export async function resolveSecret(name: string, sources: SecretSources): Promise<Secret | SecretFinding> {
  const value = variable(sources.env, name);
  const file = variable(sources.env, `${name}_FILE`);
  if (value && file) {
    const message = `${name} and ${name}_FILE are both set, so that it is undecided which secret is meant`;
    return { rule: 'secret-ambiguous', message, remedy: 'Unset one of them.' };
  }
  if (value) return checked(name, value, `the environment variable ${name}`);
  if (file) return fromFile(name, resolve(sources.cwd, file), `the file that ${name}_FILE points to`);
  const mounted = join(sources.folder, name);
  const found = fromFile(name, mounted, `the file ${mounted}`);
  if (found instanceof Secret || found.rule !== 'secret-file') return found;
  return {
    rule: 'secret-missing',
    message: `there is no secret ${name}${value === '' ? ': the environment variable is empty' : ''}`,
    remedy: `Set the environment variable ${name}, or ${name}_FILE to the path of a file, or provide ${mounted}.`,
  };
}

/** Own members only: an environment given as a plain object has a prototype. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

function fromFile(name: string, path: string, where: string): Secret | SecretFinding {
  const bytes = readBytes(path, MAX_BYTES);
  if (Buffer.isBuffer(bytes)) return checked(name, bytes.toString('latin1'), where);
  const message = `${where} cannot be used: ${bytes.message}`;
  return {
    rule: 'secret-file',
    message,
    remedy: `Give the secret ${name} another way, or make the file readable.`,
  };
}

function checked(name: string, raw: string, where: string): Secret | SecretFinding {
  const value = raw.replace(/[\r\n]+$/, '');
  if (value === '') {
    return { rule: 'secret-empty', message: `${where} is empty`, remedy: `Put the value of ${name} there.` };
  }
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(value)) {
    const message = `${where} holds a character that a header cannot carry, or starts or ends with a space`;
    return { rule: 'secret-form', message, remedy: 'Store the value alone: printable ASCII on one line.' };
  }
  if (value.length > MAX_BYTES) {
    return {
      rule: 'secret-form',
      message: `${where} is longer than 16 KiB`,
      remedy: 'Store the value alone.',
    };
  }
  return new Secret(name, value);
}
