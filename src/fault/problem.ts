/**
 * One thing wrong with a contract or a configuration, found at load. Floors that do not know files report a
 * Problem with a JSON Pointer into the document they were given; the configuration floor, which knows the text,
 * turns it into a Diagnostic with file, line, column and caret.
 */
export interface Problem {
  /** JSON Pointer (RFC 6901) to the offending value in `document`. */
  readonly pointer: string;
  /** Point at the member's name instead of its value. */
  readonly atKey?: boolean;
  /** The part of the text at `pointer` that is meant, in UTF-16 units of its value. */
  readonly within?: { readonly start: number; readonly end: number };
  /** Which document the pointer is into, where it is not the one at hand (a schema file named by a contract). */
  readonly document?: string;
  /** Short stable name of the rule, kebab-case: `unknown-key`, `unbounded-string`. */
  readonly rule: string;
  /** What is wrong, one sentence. */
  readonly message: string;
  /** What to write instead, one sentence. */
  readonly remedy: string;
}

/** A Problem with its place in the text. */
export interface Diagnostic extends Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** The line of text and a caret under it; empty where it is about the file as a whole. */
  readonly frame: string;
}

/** `file:line:col: message`, the frame, and the remedy, as a person reads it. */
export function formatDiagnostic(d: Diagnostic): string {
  const frame = d.frame === '' ? '' : `${d.frame}\n`;
  return `${d.file}:${d.line}:${d.column}: ${d.message} [${d.rule}]\n${frame}  = ${d.remedy}\n`;
}
