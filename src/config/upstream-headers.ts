import type { SecretReference, Sound, UpstreamDefinition } from './definition.js';
import type { Report } from './report.js';
import { resolveSecret, type SecretSources } from './resolve-secret.js';
import { CredentialHeaders, Secret } from './secret.js';
import { isCredentialName, looksLikeSecret } from './secret-text.js';

/** Headers that the client makes, that belong to one connection (RFC 9110 section 7.6.1), or that would change which answer is given. */
export const NOT_CONFIGURABLE =
  /^(?:host|content-length|content-type|content-encoding|transfer-encoding|te|trailer|connection|keep-alive|proxy-connection|upgrade|expect|accept-encoding|range|if-.+)$/;

type Value = string | { readonly secret: Secret; readonly format: string };

/** The headers that go with every request of an upstream, secrets resolved. */
export async function readHeaders(
  written: Sound<UpstreamDefinition['headers']>,
  sources: SecretSources,
  report: Report,
): Promise<CredentialHeaders> {
  const headers = new Map<string, Value>();
  for (const [name, value] of Object.entries(written ?? {})) {
    const at = report.at(name);
    if (NOT_CONFIGURABLE.test(name)) {
      at.keyProblem(
        'header-not-configurable',
        'is a header that the sidecar makes itself or never sends',
        'Remove it.',
      );
    } else if (typeof value === 'string') {
      if (isLiteral(name, value, at)) headers.set(name, value);
    } else if (value !== undefined) {
      const credential = await readReference(value, sources, at);
      if (credential !== undefined) headers.set(name, credential);
    }
  }
  return new CredentialHeaders(headers);
}

function isLiteral(name: string, value: string, report: Report): boolean {
  const remedy =
    'Remove it here and, if it was real, revoke it; then write { secret: NAME, format: "Bearer {}" } and set NAME.';
  if (isCredentialName(name)) {
    report.problem('literal-secret', 'is a credential written down', remedy);
  } else if (looksLikeSecret(value)) {
    report.problem('literal-secret', 'looks like a secret written down', remedy);
  } else {
    return true;
  }
  return false;
}

async function readReference(
  written: Sound<SecretReference>,
  sources: SecretSources,
  report: Report,
): Promise<Value | undefined> {
  const { secret: name, format = '{}', optional = false } = written;
  const atFormat = report.at('format');
  let isGood = true;
  if (looksLikeSecret(format)) {
    atFormat.problem(
      'literal-secret',
      'looks like a secret written down',
      'Write {} where the secret goes, such as "Bearer {}".',
    );
    isGood = false;
  } else if (format.split('{}').length !== 2 || !/^[ -~]*$/.test(format) || format.trim() !== format) {
    const message = 'must hold {} exactly once, in printable ASCII without spaces around it';
    atFormat.problem('bad-format', message, 'Write for example "Bearer {}".');
    isGood = false;
  }
  if (name === undefined) return undefined;
  const atSecret = report.at('secret');
  if (looksLikeSecret(name)) {
    const remedy = 'Revoke it, and write the name of an environment variable.';
    atSecret.problem('literal-secret', 'is a secret itself, not the name of one', remedy);
    return undefined;
  }
  const found = await resolveSecret(name, sources);
  if (found instanceof Secret) return isGood ? { secret: found, format } : undefined;
  if (found.rule === 'secret-missing' && optional) {
    report.warning(`is not sent: no secret ${name}`);
    return undefined;
  }
  atSecret.problem(found.rule, `cannot be resolved: ${found.message}`, found.remedy);
  return undefined;
}
