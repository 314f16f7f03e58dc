import { join } from 'node:path';
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

type Finding = Pick<Problem, 'rule' | 'message' | 'remedy'>;

const MAX_BYTES = 16_384;

/**
 * The value of a secret: environment variable NAME, else the file that NAME_FILE points to, else /run/secrets/NAME;
 * line ends at its end are cut off. Undefined: none of them is there. A secret that is empty, has control characters
 * or anything else that a header cannot carry, or that two variables claim, is a finding. No finding has the value.
 */
export async function resolveSecret(name: string, sources: SecretSources): Promise<Secret | Finding | undefined> {
  const { env } = sources;
  const fromEnv = env[name];
  const file = env[`${name}_FILE`];
  if (fromEnv !== undefined && fromEnv !== '' && file !== undefined && file !== '') {
    const message = `both ${name} and ${name}_FILE are set, so that it is undecided which secret is meant`;
    return { rule: 'secret-ambiguous', message, remedy: 'Unset one of them.' };
  }
  if (fromEnv !== undefined && fromEnv !== '') return checked(name, fromEnv, `the environment variable ${name}`);
  if (file !== undefined && file !== '') {
    return fromFile(name, join(sources.cwd.startsWith('/') && file.startsWith('/') ? '' : sources.cwd, file), true);
  }
  const found = await fromFile(name, join(sources.folder, name), false);
  if (found === undefined && fromEnv === '') {
    return { rule: 'secret-empty', message: `the environment variable ${name} is empty`, remedy: `Give ${name} its value.` };
  }
  return found;
}

/** Whether a finding only says that there is no secret. */
export function isAbsent(found: Secret | Finding | undefined): boolean {
  return found === undefined || (!(found instanceof Secret) && found.rule === 'secret-empty' && found.message.startsWith('the environment'));
}
