import type { AuditRecord } from './audit-record.js';
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
 * bound, nothing unprintable in it. What else an object carries is not written.
 */
export function recordBody(record: AuditRecord): string {
  const { route, contract, answer } = record;
  const bounded: AuditRecord = {
    time: cut(record.time, NAME),
    request_id: cut(record.request_id, NAME),
    sidecar: cut(record.sidecar, NAME),
    tool: name(record.tool),
    route: route && { method: cut(route.method, NAME), path: cut(route.path, PATH) },
    request_sha256: name(record.request_sha256),
    agent: name(record.agent),
    contract: contract && {
      name: cut(contract.name, NAME),
      version: cut(contract.version, NAME),
      digest: cut(contract.digest, NAME),
    },
    config_digest: cut(record.config_digest, NAME),
    upstream: name(record.upstream),
    attempts: record.attempts
      .slice(0, MAX_ATTEMPTS)
      .map(({ status, ms, wire_bytes, decoded_bytes, fault }) => ({
        status,
        ms,
        wire_bytes,
        decoded_bytes,
        fault,
      })),
    outcome: record.outcome,
    agent_code: record.agent_code,
    operator_code: record.operator_code,
    stage: record.stage,
    fault: faultRecord(record.fault),
    alternative: record.alternative,
    body_sha256: name(record.body_sha256),
    answer: answer && { status: answer.status, sha256: cut(answer.sha256, NAME), bytes: answer.bytes },
    quarantine: name(record.quarantine),
    stages_ms: record.stages_ms,
  };
  return plainJson(bounded);
}

function name(text: string | null): string | null {
  return text === null ? null : cut(text, NAME);
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
export function chainedLine(before: ChainPoint, body: string): { line: Buffer; point: ChainPoint } {
  const seq = before.seq + 1;
  const line = Buffer.from(`{"seq":${seq},"prev":"${before.sha256}",${body.slice(1)}`);
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
