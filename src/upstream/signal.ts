import { Fault } from '../fault/index.js';

/**
 * The fault that an aborted signal carries as its reason: UPS_TOTAL_TIMEOUT or REQ_ABORTED. The signal is the
 * absolute deadline of the call, so that is what any other reason (AbortSignal.timeout has its own) stands for.
 */
export function signalFault(signal: AbortSignal): Fault {
  return signal.reason instanceof Fault ? signal.reason : new Fault('UPS_TOTAL_TIMEOUT');
}
