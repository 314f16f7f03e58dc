import type { PathSegment } from '../route/index.js';
import type { Report } from './report.js';

const LITERAL = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})+$/;

/**
 * `/repos/{owner}/issues` as segments; `/` has none. A parameter is a whole segment. A literal stands as it does on the
 * wire (RFC 3986 section 3.3), escapes in capitals and only where they are needed, so that there is one way to write it.
 */
export function readTemplate(path: string, report: Report): readonly PathSegment[] | undefined {
  const no = (message: string, remedy: string) => report.problem('bad-path', message, remedy);
  if (!path.startsWith('/')) return no('does not start with /', 'Start it with /.') as undefined;
  if (/[?#]/.test(path)) {
    return no(
      'has a query or a fragment',
      "Declare query parameters in the contract's request.query.",
    ) as undefined;
  }
  if (path === '/') return [];
  const segments: PathSegment[] = [];
  const names = new Set<string>();
  for (const text of path.slice(1).split('/')) {
    const param = /^\{([A-Za-z_][A-Za-z0-9_]{0,63})\}$/.exec(text)?.[1];
    if (text === '')
      return no('has an empty segment', 'Remove the slash at its end, or one of two in a row.') as undefined;
    if (param !== undefined) {
      if (names.has(param))
        return no(`has the parameter {${param}} twice`, 'Give each its own name.') as undefined;
      names.add(param);
      segments.push(Object.freeze({ param }));
    } else if (/[{}]/.test(text)) {
      const remedy =
        'A parameter is a whole segment between slashes: /{name}/, with letters, digits and _ in its name.';
      return no('has a segment that is only partly a parameter', remedy) as undefined;
    } else if (!LITERAL.test(text) || isNeedless(text)) {
      const remedy =
        'Write it as it stands on the wire: no dot segments, capitals in escapes, and none for letters, digits and - . _ ~ / \\ %.';
      return no('has a segment that no safe path can match', remedy) as undefined;
    } else {
      segments.push(Object.freeze({ literal: text }));
    }
  }
  return Object.freeze(segments);
}

/** A dot segment, or an escape of what needs none or must not be hidden (RFC 3986 section 6.2.2.2). */
function isNeedless(text: string): boolean {
  return (
    text === '.' ||
    text === '..' ||
    /%(?:[01][0-9A-F]|7F|2[5DEF]|3[0-9]|5[ACF]|4[1-9A-F]|5[0-9]|6[1-9A-F]|7[0-9AE])/.test(text)
  );
}

/** The template with the names of its parameters left out: two routes of one shape would take the same calls. */
export function shapeOf(segments: readonly PathSegment[]): string {
  return segments.map((segment) => ('literal' in segment ? segment.literal : '{}')).join('/');
}
