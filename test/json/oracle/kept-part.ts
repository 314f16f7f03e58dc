import { type NumberVerdict, numberVerdict } from '../../../src/json/number.js';
import { ByteBuffer } from './byte-buffer.js';
import { COLON, COMMA, QUOTE } from './bytes.js';
import type { Level } from './nesting.js';

/**
 * The kept part of one document as compact JSON: no white space; names, strings and number lexemes exactly as sent, save
 * that `numbersAsStrings` puts a number's lexeme in quotes.
 */
export class KeptPart {
  readonly bytes = new ByteBuffer(256);
  private lexemeStart = 0;

  constructor(private readonly numbersAsStrings: boolean) {}

  /** Before an item of a level that is kept. */
  startItem(level: Level): void {
    if (level.emitted) this.bytes.push(COMMA);
    level.emitted = true;
  }

  /** Before the value of a member that is kept. `name` is as sent, without quotes. */
  startMember(level: Level, name: ByteBuffer): void {
    this.startItem(level);
    this.bytes.push(QUOTE);
    this.bytes.appendAll(name);
    this.bytes.push(QUOTE);
    this.bytes.push(COLON);
  }

  startNumber(): void {
    if (this.numbersAsStrings) this.bytes.push(QUOTE);
    this.lexemeStart = this.bytes.length;
  }

  /** After the last byte of a number; says whether its value may be kept as it was written. */
  endNumber(): NumberVerdict {
    if (!this.numbersAsStrings) return numberVerdict(this.bytes.text(this.lexemeStart));
    this.bytes.push(QUOTE);
    return 'exact';
  }
}
