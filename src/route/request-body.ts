import type { FormRule } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { scanWhole } from '../json/index.js';
import { isUtf8, parseMediaType } from '../upstream/index.js';
import type { IncomingCall } from './call.js';
import type { RoutePlan } from './plan.js';
import { readForm } from './request-body-form.js';
import { scanPlans } from './scan-plans.js';

/**
 * A client that names its vendor's type means the same JSON, which leaves as application/json. Other types with +json,
 * such as those of patches, say what is to be done with it.
 */
const JSON_TYPE = /^application\/(?:vnd\.[a-z0-9.-]+\+)?json$/;
const FORM_TYPE = /^application\/x-www-form-urlencoded$/;

export interface RequestBody {
  readonly value: unknown;
  /** The body as it leaves: compact JSON with number lexemes kept, or pairs that are encoded anew. */
  readonly bytes: Uint8Array;
  readonly mediaType: 'application/json' | 'application/x-www-form-urlencoded';
}

/** The declared body, JSON through the same strict scan as an answer; undefined where none came and none is required. */
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
  const { form } = rule;
  if (!isPlain(call, form === undefined ? JSON_TYPE : FORM_TYPE)) return new Fault('REQ_BODY_MEDIA_TYPE');
  const read = form === undefined ? readJson(body, plan) : readUrlencoded(body, form, plan);
  if (read instanceof Fault) return read;
  const finding = rule.validate(read.value);
  if (finding === undefined) return read;
  return new Fault('REQ_BODY_INVALID', {
    instance: finding.instance,
    schema: finding.schema,
    rule: finding.rule,
  });
}

function readJson(body: Uint8Array, plan: RoutePlan): RequestBody | Fault {
  const scanned = scanWhole(body, scanPlans(plan).body);
  if (scanned instanceof Fault) {
    return new Fault('REQ_BODY_SYNTAX', { ...scanned.detail, note: scanned.code });
  }
  const value: unknown = JSON.parse(scanned.text);
  // The scanner's memory is its own: what it kept is good until the next document.
  return { value, bytes: Uint8Array.from(scanned.kept), mediaType: 'application/json' };
}

function readUrlencoded(body: Uint8Array, rule: FormRule, plan: RoutePlan): RequestBody | Fault {
  const form = readForm(body, rule, plan.limits.scan);
  if (form instanceof Fault) return form;
  const bytes = Buffer.from(form.text, 'latin1');
  return { value: form.value, bytes, mediaType: 'application/x-www-form-urlencoded' };
}

/** Whether the body is of this type, in UTF-8 and under no coding. */
function isPlain(call: IncomingCall, type: RegExp): boolean {
  const all = (wanted: string) =>
    call.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const types = all('content-type');
  const media = types.length === 1 ? parseMediaType(types[0] as string) : undefined;
  const coded = all('content-encoding').some((coding) => coding.trim().toLowerCase() !== 'identity');
  return !coded && media !== undefined && type.test(media.type) && isUtf8(media.charset);
}
