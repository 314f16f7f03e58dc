import { Fault } from '../fault/index.js';
import { scanWhole } from '../json/index.js';
import { isUtf8, parseMediaType } from '../upstream/index.js';
import type { IncomingCall } from './call.js';
import type { RoutePlan } from './plan.js';
import { scanPlans } from './scan-plans.js';

export interface RequestBody {
  readonly value: unknown;
  /** The document as it leaves: compact, number lexemes kept. */
  readonly bytes: Uint8Array;
}

/** The declared JSON body, through the same strict scan as an answer; undefined where none came and none is required. */
export function readBody(call: IncomingCall, plan: RoutePlan): RequestBody | undefined | Fault {
  const rule = plan.contract.request.body;
  const { body } = call;
  if (rule === undefined) {
    return body === null || body.byteLength > 0 ? new Fault('REQ_BODY_UNDECLARED') : undefined;
  }
  if (body === null || body.byteLength > plan.limits.requestBytes) return new Fault('REQ_BODY_TOO_LARGE');
  if (body.byteLength === 0) {
    return rule.required ? new Fault('REQ_BODY_SYNTAX', { note: 'the body is missing' }) : undefined;
  }
  if (!isPlainJson(call)) return new Fault('REQ_BODY_MEDIA_TYPE');

  const scanned = scanWhole(body, scanPlans(plan).body);
  if (scanned instanceof Fault)
    return new Fault('REQ_BODY_SYNTAX', { ...scanned.detail, note: scanned.code });
  const value: unknown = JSON.parse(scanned.text);
  const finding = rule.validate(value);
  if (finding !== undefined) {
    return new Fault('REQ_BODY_INVALID', {
      instance: finding.instance,
      schema: finding.schema,
      rule: finding.rule,
    });
  }
  // The scanner's memory is its own: what it kept is good until the next document.
  return { value, bytes: Uint8Array.from(scanned.kept) };
}

function isPlainJson(call: IncomingCall): boolean {
  const all = (wanted: string) =>
    call.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const types = all('content-type');
  const media = types.length === 1 ? parseMediaType(types[0] as string) : undefined;
  const coded = all('content-encoding').some((coding) => coding.trim().toLowerCase() !== 'identity');
  return !coded && media?.type === 'application/json' && isUtf8(media.charset);
}
