import {
  type CallContext,
  isDeclared,
  nearestDeclared,
  parseSource,
  type RequestDefinition,
  readSource,
  type Source,
} from '../contract/index.js';
import { scalarText } from './scalar-text.js';

/** Text with `{source}` placeholders, each of them a source of the request. */
export interface Template {
  /** Literal text before the first placeholder. */
  readonly head: string;
  readonly parts: readonly { readonly source: Source; readonly after: string }[];
}

/** A Template, or the sentence that says what is wrong with the text. */
export function parseTemplate(text: string, request: RequestDefinition): Template | string {
  const pieces = text.split('{');
  const head = pieces[0] as string;
  if (head.includes('}')) return 'has a "}" without "{"';
  const parts: { source: Source; after: string }[] = [];
  for (const piece of pieces.slice(1)) {
    const close = piece.indexOf('}');
    if (close < 0 || piece.indexOf('}', close + 1) >= 0) return 'has braces that do not match';
    const name = piece.slice(0, close);
    const source = parseSource(name);
    if (source === undefined || source.kind === 'answer' || source.kind === 'header') {
      return `names "{${name}}", which is not a part of the request`;
    }
    if (!isDeclared(source, request)) {
      const meant = nearestDeclared(source, request);
      const hint = meant === undefined ? '' : ` (did you mean {${meant}}?)`;
      return `names "{${name}}", which the request does not declare${hint}`;
    }
    // "1" and "23" would read as "12" and "3" do, and the answer to the one request would pass for the other.
    if (parts.at(-1)?.after === '') return 'has two placeholders with nothing in between';
    parts.push({ source, after: piece.slice(close + 1) });
  }
  return { head, parts };
}

/** The text with its placeholders filled; undefined when one of them has no scalar value in this call. */
export function expandTemplate(template: Template, context: CallContext): string | undefined {
  let text = template.head;
  for (const { source, after } of template.parts) {
    const found = readSource(source, undefined, context);
    const value = found && scalarText(found.value);
    if (value === undefined) return undefined;
    text += value + after;
  }
  return text;
}
