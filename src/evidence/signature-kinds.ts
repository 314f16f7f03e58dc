import type { HmacDefinition, MessageSignatureDefinition, SignatureDefinition } from '../contract/index.js';
import { Fault, type Problem } from '../fault/index.js';
import { DIGEST_ALGORITHMS, type DigestAlgorithm, readContentDigest } from './content-digest.js';
import { BodyMac, HMAC_BYTES, type HmacForm, readMac } from './hmac.js';
import { jwsRule } from './jws-compile.js';
import { fitsMessage, type MessageAlgorithm, messageSignature } from './message-signature.js';
import { type Component, componentId, readComponent } from './message-signature-base.js';
import { type KeyNeed, type SignatureRule, secretsOf } from './signature.js';
import { publicNeed, SignatureReport, secretNeed } from './signature-report.js';
import { parseDictionary } from './structured-field.js';

/** A secret that is shorter can be guessed. */
const LEAST_SECRET_BYTES = 16;

/** One entry of `signatures`, compiled; undefined where something is wrong with it, which then is in the problems. */
export function compileSignature(
  definition: SignatureDefinition,
  pointer: string,
  problems: Problem[],
): SignatureRule | undefined {
  const report = new SignatureReport(pointer, problems);
  const rule = ruleOf(definition, report);
  return report.isSound ? rule : undefined;
}

function ruleOf(definition: SignatureDefinition, report: SignatureReport): SignatureRule | undefined {
  if ('content_digest' in definition) {
    return contentDigestRule(definition.id, definition.content_digest.algorithms);
  }
  if ('hmac' in definition) return hmacRule(definition, report);
  if ('message_signature' in definition) return messageRule(definition, report);
  if ('jws' in definition) return jwsRule(definition, report);
  const kinds = 'content_digest, hmac, message_signature, jws';
  report.say('', `a signature has one of: ${kinds}`, 'write for example content_digest: {}');
  return undefined;
}

function contentDigestRule(id: string, algorithms: readonly DigestAlgorithm[] | undefined): SignatureRule {
  const accepted = algorithms ?? (Object.keys(DIGEST_ALGORITHMS) as DigestAlgorithm[]);
  return {
    id,
    need: undefined,
    begin({ headers }) {
      const digest = readContentDigest(headers, accepted);
      if (digest instanceof Fault) return digest;
      return {
        update: (chunk) => digest.update(chunk),
        finish: () => (digest.isRight() ? undefined : new Fault('SIG_DIGEST', { note: 'Content-Digest' })),
      };
    },
  };
}

function hmacRule({ id, hmac }: HmacDefinition, report: SignatureReport): SignatureRule {
  const { algorithm } = hmac;
  const form: HmacForm = {
    header: hmac.header,
    prefix: hmac.prefix ?? '',
    encoding: hmac.encoding ?? 'hex',
    algorithm,
  };
  const need = secretNeed(hmac.key, `${report.pointer}/hmac/key`, LEAST_SECRET_BYTES);
  if (HMAC_BYTES[algorithm] === undefined) {
    report.say('/hmac/algorithm', `${algorithm} is not an algorithm here`, 'write sha256, sha384 or sha512');
  }
  return {
    id,
    need,
    begin({ headers }, key) {
      const expected = readMac(headers, form);
      if (expected instanceof Fault) return expected;
      const mac = new BodyMac(algorithm, secretsOf(key), expected);
      return {
        update: (chunk) => mac.update(chunk),
        finish: () => (mac.isRight() ? undefined : new Fault('SIG_INVALID')),
      };
    },
  };
}

function messageRule(
  { id, message_signature: terms }: MessageSignatureDefinition,
  report: SignatureReport,
): SignatureRule {
  const at = '/message_signature';
  const components = terms.components.flatMap((text, index): Component[] => {
    const component = parseComponent(text);
    if (component !== undefined) return [component];
    const remedy = 'write @status, a header name, or @method;req, @target-uri;req and the like';
    report.say(`${at}/components/${index}`, `"${text}" is not a component that can be known`, remedy);
    return [];
  });
  const ids = new Set(components.map(componentId));
  for (const needed of ['"@status"', '"content-digest"']) {
    if (ids.has(needed)) continue;
    const message = `components lacks ${needed.replaceAll('"', '')}, without which any ${needed === '"@status"' ? 'status' : 'body'} would do`;
    report.say(
      `${at}/components`,
      message,
      'components: ["@status", content-digest, "@method;req", "@target-uri;req"]',
    );
  }
  const algorithm: MessageAlgorithm = terms.algorithm;
  const pointer = `${report.pointer}${at}/key`;
  const need: KeyNeed =
    algorithm === 'hmac-sha256'
      ? secretNeed(terms.key, pointer, LEAST_SECRET_BYTES)
      : publicNeed(terms.key, pointer, (key) => fitsMessage(algorithm, key));
  return messageSignature(
    {
      id,
      algorithm,
      components,
      label: terms.label,
      tag: terms.tag,
      maxAgeMs: report.duration(`${at}/max_age`, terms.max_age),
      skewMs: report.duration(`${at}/skew`, terms.skew),
    },
    need,
  );
}

/** `@method;req` as a contract writes it: RFC 9421's identifier without the quotes around the name. */
function parseComponent(text: string): Component | undefined {
  const [name = '', ...parameters] = text.split(';');
  const list = parseDictionary(
    `x=("${name}"${parameters.map((parameter) => `;${parameter}`).join('')})`,
  )?.get('x');
  const [item, another] = list !== undefined && 'items' in list ? list.items : [];
  return item === undefined || another !== undefined ? undefined : readComponent(item);
}
