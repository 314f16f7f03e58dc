import { Fault } from '../fault/index.js';
import { createScanner } from '../json/index.js';
import { Sha256 } from '../record/index.js';
import { type ByteMeter, decodedBody, emptyBody } from '../upstream/index.js';
import type { Exchange, RetainedBody } from './exchange.js';
import { Scanned, type Transported } from './stages.js';

/**
 * Stage 5: the body streams through byte limits, decoding, digest and strict scanner; what the contract does not look
 * at is gone when this returns. The first violation closes the upstream connection.
 *
 * @param meter counts the body's bytes while it is read
 * @param retain most decoded bytes kept for quarantine; 0 keeps none
 * @param signal the deadline of the call; its reason is a Fault
 */
export async function scan(
  transported: Transported,
  exchange: Exchange,
  meter: ByteMeter,
  retain: number,
  signal: AbortSignal,
): Promise<Scanned | Fault> {
  const { plan, context, candidates, answer } = transported;
  if (transported.body === 'unread') {
    answer.body.discard();
    return new Scanned(plan, context, candidates, undefined);
  }
  if (transported.body === 'empty') {
    const fault = await emptyBody(answer.body);
    return fault ?? new Scanned(plan, context, candidates, undefined);
  }

  const scanner = createScanner({
    limits: plan.limits.scan,
    projection: transported.group.projection,
    caseInsensitiveNames: plan.contract.caseInsensitiveNames,
    numbers: plan.contract.numbers,
  });
  const digest = new Sha256();
  const retained = retain > 0 ? startRetaining(transported) : undefined;
  exchange.retained = retained;

  const body = decodedBody(answer.body, transported.coding, plan.limits, meter, signal);
  const fault = await body.drain((chunk) => {
    digest.update(chunk);
    if (retained !== undefined) keep(retained, chunk, retain);
    return scanner.write(chunk);
  });
  if (fault !== undefined) return fault;
  const scanned = scanner.end();
  exchange.bodySha256 = digest.hex();
  if (scanned instanceof Fault) return scanned;
  // RFC 9112 section 6.3 (8): without length the end of the connection is the end of the body, cut or not. Every
  // document but a number shows its own end; a decoder proves the end of a compressed one.
  if (answer.closeDelimited && transported.coding === 'identity' && scanned.kind === 'number') {
    return new Fault('BYT_INCOMPLETE');
  }
  return new Scanned(plan, context, candidates, JSON.parse(Buffer.from(scanned.kept).toString()));
}

function startRetaining(transported: Transported): RetainedBody {
  const { status, headers } = transported.answer;
  return { status, headers: headers.lines, chunks: [], bytes: 0, truncated: false };
}

function keep(retained: RetainedBody, chunk: Uint8Array, most: number): void {
  const room = most - retained.bytes;
  if (room < chunk.byteLength) retained.truncated = true;
  if (room <= 0) return;
  // A copy: the chunk is only valid during the call.
  retained.chunks.push(Uint8Array.prototype.slice.call(chunk, 0, room));
  retained.bytes += Math.min(room, chunk.byteLength);
}
