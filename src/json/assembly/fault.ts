import { S } from './state';

/** The first violation is terminal. */
export function refuse(code: u32, offset: f64): void {
  S.faultCode = code;
  S.faultOffset = offset;
}
