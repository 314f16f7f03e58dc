import { Fault } from '../fault/index.js';

/**
 * UPS_TLS on a connection whose handshake had succeeded, after the request was written: a broken record, or the alert
 * with which TLS 1.3 refuses a client only then (RFC 8446 section 4.4.2.4). The upstream may have had the request.
 */
export class LateTlsFailure extends Fault {}
