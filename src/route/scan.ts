import type { Alternative } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { createPlannedScanner, type ScanPlan, scanWhole } from '../json/index.js';
import { Sha256, sha256Hex } from '../record/index.js';
import { type ByteMeter, decodedBody, emptyBody } from '../upstream/index.js';
import type { Exchange } from './exchange.js';
import { type BodyReader, otherReader, readText } from './other-body.js';
import { retain, retainWhole } from './retain.js';
import { scanPlans } from './scan-plans.js';
import { Scanned, type Transported } from './stages.js';

/**
 * Stage 5: the body streams through byte limits, decoding, digest and strict scanner; what the contract does not look
 * at is gone when this returns. The first violation closes the upstream connection.
 *
 * @param meter counts the body's bytes while it is read
 * @param retainBytes most decoded bytes kept for quarantine; 0 keeps none
 */
export function scan(
  transported: Transported,
  exchange: Exchange,
  meter: ByteMeter,
  retainBytes: number,
): Scanned | Fault | Promise<Scanned | Fault> {
  const { answer, body } = transported;
  if (body === 'unread') {
    answer.body.discard();
    return outcomeOf(transported, exchange, { value: undefined });
  }
  if (body === 'empty') return scanEmpty(transported, exchange);
  const scanPlan = scanPlans(transported.plan).answers.get(transported.group);
  if (scanPlan === undefined) throw new Error('a status group that the contract does not have');
  const reading = { transported, exchange, meter, retainBytes };
  const whole = wholeBody(transported);
  const other = body === 'json' ? undefined : otherReader(transported);
  if (whole === undefined) return scanStream(reading, other ?? jsonReader(transported, scanPlan));
  return outcomeOf(transported, exchange, scanAtOnce(reading, whole, scanPlan, other));
}

function outcomeOf(
  { plan, context, candidates, body }: Transported,
  exchange: Exchange,
  document: Document | Fault,
): Scanned | Fault {
  // What a text says is only known to the alternative whose pattern it matches.
  const read: Document | Fault =
    body === 'text' && !(document instanceof Fault) ? readText(String(document.value), candidates) : document;
  exchange.mark('scan');
  if (read instanceof Fault) return read;
  return new Scanned(plan, context, read.candidates ?? candidates, read.value);
}

interface Reading {
  readonly transported: Transported;
  readonly exchange: Exchange;
  readonly meter: ByteMeter;
  readonly retainBytes: number;
}

interface Document {
  readonly value: unknown;
  /** The alternatives that are still possible, where reading has told some apart. */
  readonly candidates?: readonly Alternative[];
}

/** The body where it has arrived in one piece, needs no decoding and is within the limits: the usual small answer. */
function wholeBody({ answer, coding, plan }: Transported): Uint8Array | undefined {
  const { whole } = answer.body;
  if (whole === undefined || coding !== 'identity') return undefined;
  return whole.byteLength <= Math.min(plan.limits.wireBytes, plan.limits.decodedBytes) ? whole : undefined;
}

async function scanEmpty(transported: Transported, exchange: Exchange): Promise<Scanned | Fault> {
  const fault = await emptyBody(transported.answer.body);
  return outcomeOf(transported, exchange, fault ?? { value: undefined });
}

function scanAtOnce(
  { transported, exchange, meter, retainBytes }: Reading,
  whole: Uint8Array,
  scanPlan: ScanPlan,
  other: BodyReader | undefined,
): Document | Fault {
  meter.wireBytes = whole.byteLength;
  meter.decodedBytes = whole.byteLength;
  if (retainBytes > 0) retainWhole(exchange, whole, retainBytes);
  if (exchange.digests) exchange.bodySha256 = sha256Hex(whole);
  const scanned = other === undefined ? scanWhole(whole, scanPlan) : (other.write(whole) ?? other.end());
  // Nothing more comes of this answer, sound or not: its connection is as good as before.
  transported.answer.body.discard();
  if (scanned instanceof Fault) return scanned;
  return 'text' in scanned ? documentOf(transported, scanned.kind, scanned.text) : scanned;
}

/** One JSON document, chunk by chunk. */
function jsonReader(transported: Transported, scanPlan: ScanPlan): BodyReader {
  const scanner = createPlannedScanner(scanPlan);
  return {
    write: (chunk) => scanner.write(chunk),
    end() {
      const scanned = scanner.end();
      if (scanned instanceof Fault) return scanned;
      const { buffer, byteOffset, byteLength } = scanned.kept;
      return documentOf(transported, scanned.kind, Buffer.from(buffer, byteOffset, byteLength).toString());
    },
  };
}

async function scanStream(reading: Reading, reader: BodyReader): Promise<Scanned | Fault> {
  return outcomeOf(reading.transported, reading.exchange, await readStream(reading, reader));
}

async function readStream(
  { transported, exchange, meter, retainBytes }: Reading,
  reader: BodyReader,
): Promise<Document | Fault> {
  const { answer, coding, plan } = transported;
  const digest = exchange.digests ? new Sha256() : undefined;
  const body = decodedBody(answer.body, coding, plan.limits, meter, exchange.cancellation);
  const fault = await body.drain((chunk) => {
    digest?.update(chunk);
    if (retainBytes > 0) retain(exchange, chunk, retainBytes);
    return reader.write(chunk);
  });
  if (fault !== undefined) {
    // What it says of half a body does not count; it gives back what it holds.
    reader.end();
    return fault;
  }
  exchange.bodySha256 = digest?.hex() ?? null;
  return reader.end();
}

function documentOf({ answer, coding }: Transported, kind: string, text: string): Document | Fault {
  // RFC 9112 section 6.3 (8): without length the end of the connection is the end of the body, cut or not. Every
  // document but a number shows its own end; a decoder proves the end of a compressed one.
  if (answer.closeDelimited && coding === 'identity' && kind === 'number') return new Fault('BYT_INCOMPLETE');
  return { value: JSON.parse(text) };
}
