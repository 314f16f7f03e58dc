import { Fault } from '../fault/index.js';

/**
 * UPS_CLOSED on a connection that had served a request before, with no byte of an answer to this one: most likely the
 * upstream closed an idle connection just as it was used again, and never saw the request. Nobody can be sure of that
 * (RFC 9112 section 9.3.1), so only what changes nothing is sent anew because of it, once and on a fresh connection.
 */
export class StaleConnection extends Fault {}
