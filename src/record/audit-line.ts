import type { AttemptRecord, AuditRecord } from './audit-record.js';
import { sha256Hex } from './digest.js';
import { cut, faultRecord } from './fault-record.js';
import { plainJson } from './plain-json.js';

/** A place in the chain: the sequence number of a line and the SHA-256 of its bytes without the line feed. */
export interface ChainPoint {
  readonly seq: number;
  readonly sha256: string;
}

/** What the very first line names as the line before it. */
export const GENESIS: ChainPoint = { seq: 0, sha256: '0'.repeat(64) };

/** No line this module writes is longer, whatever the record holds; a usual one has about 900 bytes. */
export const MAX_LINE_BYTES = 128 * 1024;

const MAX_ATTEMPTS = 16;
/** UTF-16 units of a name that comes from configuration or contract. */
const NAME = 256;
const PATH = 1_024;

/**
 * The JSON text of a record: exactly the members of AuditRecord, in their order, every string and list cut to a
 * bound, nothing unprintable in it. What else an object carries is not written. Put together by hand, since every call
 * pays for it and nearly all of it is known to need no escapes.
 */
export function recordBody(record: AuditRecord): string {
  const { answer } = record;
  const attempts = record.attempts.slice(0, MAX_ATTEMPTS).map(attemptJson).join(',');
  return (
    `{"time":${name(record.time)},"request_id":${name(record.request_id)},"sidecar":${name(record.sidecar)}` +
    `,"tool":${name(record.tool)},"route":${fixed(record.route, routeJson)}` +
    `,"request_sha256":${name(record.request_sha256)},"agent":${name(record.agent)}` +
    `,"contract":${fixed(record.contract, contractJson)},"config_digest":${name(record.config_digest)}` +
    `,"upstream":${name(record.upstream)},"attempts":[${attempts}],"outcome":"${record.outcome}"` +
    `,"agent_code":${name(record.agent_code)},"operator_code":${name(record.operator_code)}` +
    `,"stage":${name(record.stage)},"fault":${plainJson(faultRecord(record.fault))}` +
    `,"alternative":${record.alternative},"body_sha256":${name(record.body_sha256)}` +
    `,"answer":${answer === null ? 'null' : answerJson(answer)},"quarantine":${name(record.quarantine)}` +
    `,"stages_us":${stagesJson(record.stages_us)}}`
  );
}

/** A string that is its own JSON text: printable ASCII without quote and backslash. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function text(value: string, most: number): string {
  return value.length <= most && PLAIN.test(value) ? `"${value}"` : plainJson(cut(value, most));
}

function name(value: string | null): string {
  return value === null ? 'null' : text(value, NAME);
}

const FIXED = new WeakMap<object, string>();

/** The JSON of a part that is one and the same object in every record of a route. */
function fixed<T extends object>(part: T | null, json: (part: T) => string): string {
  if (part === null) return 'null';
  let known = FIXED.get(part);
  if (known === undefined) {
    known = json(part);
    FIXED.set(part, known);
  }
  return known;
}

function routeJson(route: NonNullable<AuditRecord['route']>): string {
  return `{"method":${name(route.method)},"path":${text(route.path, PATH)}}`;
}

function contractJson(contract: NonNullable<AuditRecord['contract']>): string {
  return `{"name":${name(contract.name)},"version":${name(contract.version)},"digest":${name(contract.digest)}}`;
}

function attemptJson({ status, ms, wire_bytes, decoded_bytes, fault }: AttemptRecord): string {
  return `{"status":${status},"ms":${ms},"wire_bytes":${wire_bytes},"decoded_bytes":${decoded_bytes},"fault":${name(fault)}}`;
}

function answerJson({ status, sha256, bytes }: NonNullable<AuditRecord['answer']>): string {
  return `{"status":${status},"sha256":${name(sha256)},"bytes":${bytes}}`;
}

function stagesJson(stages: AuditRecord['stages_us']): string {
  let json = '';
  for (const [stage, us] of Object.entries(stages)) json += `${json === '' ? '' : ','}"${stage}":${us}`;
  return `{${json}}`;
}

/** What a seal says about the bytes between the line it is chained to and itself. */
export interface Seal {
  readonly bytes: number;
  readonly sha256: string;
}

/** Written over the remains of a write that a crash cut short: they stay, and the seal accounts for them. */
export function sealBody(time: number, seal: Seal): string {
  return JSON.stringify({ time: new Date(time).toISOString(), seal });
}

/** Appends that were answered false, between two times in milliseconds since the epoch. */
export interface Gap {
  readonly refused: number;
  readonly from: number;
  readonly to: number;
  /** `full`, or the system's error code such as `ENOSPC`. */
  readonly reason: string;
}

/** Written when records could not be kept, as soon as writing works again. */
export function gapBody(time: number, gap: Gap): string {
  return JSON.stringify({
    time: new Date(time).toISOString(),
    gap: {
      refused: gap.refused,
      from: new Date(gap.from).toISOString(),
      to: new Date(gap.to).toISOString(),
      reason: cut(gap.reason, NAME),
    },
  });
}

/** Chains a JSON object to the line before it. `line` is without its line feed. */
export function chainedLine(before: ChainPoint, body: string): { line: string; point: ChainPoint } {
  const seq = before.seq + 1;
  const line = `{"seq":${seq},"prev":"${before.sha256}",${body.slice(1)}`;
  return { line, point: { seq, sha256: sha256Hex(line) } };
}

/** A line of an audit file as read back. */
export interface AuditLine {
  readonly seq: number;
  readonly prev: string;
  /** SHA-256 over the bytes read. */
  readonly sha256: string;
  /** RFC 3339, as the line says. */
  readonly time: string;
  readonly seal: Seal | null;
  /** Appends that a gap line says were refused; 0 on every other line. */
  readonly refused: number;
  readonly kind: 'record' | 'seal' | 'gap';
}

/** Reads a line without its line feed: null where it is not JSON, `unchained` where it is but no line of ours. */
export function readLine(bytes: Uint8Array): AuditLine | 'unchained' | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const head = /^\{"seq":([1-9][0-9]{0,15}),"prev":"([0-9a-f]{64})",/.exec(text);
  if (head === null || !isObject(value) || typeof value.time !== 'string') return 'unchained';
  const { time, seal, gap } = value;
  const sealed = isObject(seal) && typeof seal.bytes === 'number' && typeof seal.sha256 === 'string';
  const gapped = isObject(gap) && typeof gap.refused === 'number';
  return {
    seq: Number(head[1]),
    prev: head[2] ?? '',
    sha256: sha256Hex(bytes),
    time,
    seal: sealed ? { bytes: Number(seal.bytes), sha256: String(seal.sha256) } : null,
    refused: gapped ? Number(gap.refused) : 0,
    kind: sealed ? 'seal' : gapped ? 'gap' : 'record',
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
