import { ENVELOPE_PROFILE } from '../envelope/index.js';
import type { AnswerShape, Mount } from './plan.js';

/** How a call is answered that lies under no mount. */
export const ENVELOPE_SHAPE: AnswerShape = Object.freeze({ profile: ENVELOPE_PROFILE, statuses: {} });

/**
 * The mount that a request target lies under, as it stands on the wire; undefined where there is none. It only chooses
 * among constants, so that a target which is refused as unsafe may be looked at, too.
 */
export function mountAt(mounts: readonly Mount[], target: string): Mount | undefined {
  return mounts.find(({ path }) => {
    if (!target.startsWith(path)) return false;
    const next = target.charAt(path.length);
    return path === '' || next === '' || next === '/' || next === '?';
  });
}
