import { isDigit, LOWER_E, MINUS, PLUS, POINT, UPPER_E, ZERO } from './bytes.js';

type Part = 'start' | 'minus' | 'zero' | 'integer' | 'point' | 'fraction' | 'e' | 'e-sign' | 'exponent';

/** Follows one number through its grammar (RFC 8259 section 6), byte by byte. */
export class NumberReader {
  private part: Part = 'start';
  /** Bytes taken so far. */
  length = 0;

  open(): void {
    this.part = 'start';
    this.length = 0;
  }

  /** What was taken is a number, were it to end here. */
  get complete(): boolean {
    const { part } = this;
    return part === 'zero' || part === 'integer' || part === 'fraction' || part === 'exponent';
  }

  /** Takes a byte if it continues the number; false leaves everything as it was. */
  take(byte: number): boolean {
    const next = this.after(byte);
    if (next === undefined) return false;
    this.part = next;
    this.length++;
    return true;
  }

  // RFC 8259 section 6: number = [ minus ] int [ frac ] [ exp ]; int has no leading zero.
  private after(byte: number): Part | undefined {
    switch (this.part) {
      case 'start':
        return byte === MINUS ? 'minus' : integerStart(byte);
      case 'minus':
        return integerStart(byte);
      case 'zero':
        return byte === POINT ? 'point' : exponentMark(byte);
      case 'integer':
        if (isDigit(byte)) return 'integer';
        return byte === POINT ? 'point' : exponentMark(byte);
      case 'point':
        return isDigit(byte) ? 'fraction' : undefined;
      case 'fraction':
        return isDigit(byte) ? 'fraction' : exponentMark(byte);
      case 'e':
        return byte === PLUS || byte === MINUS ? 'e-sign' : exponentDigit(byte);
      case 'e-sign':
      case 'exponent':
        return exponentDigit(byte);
    }
  }
}

function integerStart(byte: number): Part | undefined {
  if (byte === ZERO) return 'zero';
  return isDigit(byte) ? 'integer' : undefined;
}

function exponentMark(byte: number): Part | undefined {
  return byte === LOWER_E || byte === UPPER_E ? 'e' : undefined;
}

function exponentDigit(byte: number): Part | undefined {
  return isDigit(byte) ? 'exponent' : undefined;
}
