import type { Report } from './report.js';

export interface BaseUrl {
  /** `https://host` with the port where it is not the scheme's own. */
  readonly origin: string;
  /** Without trailing slash; may be empty. */
  readonly basePath: string;
}

const REMEDY = 'Write scheme, host and perhaps port and path, such as "https://api.github.com".';

/** The URL is never quoted: filled in from the environment, it may hold what nobody may see. */
export function readBaseUrl(text: string, report: Report): BaseUrl | undefined {
  const no = (message: string, remedy = REMEDY) => report.problem('bad-url', message, remedy);
  // Looked at as written: the URL parser below repairs much of what is refused here.
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(.*)$/s.exec(text);
  if (match === null || !/^[!-~]*$/.test(text) || text.includes('\\'))
    return no('is not an absolute URL') as undefined;
  const [, scheme = '', authority = '', path = '', rest = ''] = match;
  if (!/^https?$/i.test(scheme)) return no('has a scheme that is neither http nor https') as undefined;
  if (authority.includes('@')) {
    const remedy = 'Remove what stands before @, and send credentials as a header: { secret: NAME }.';
    return no('has credentials in it', remedy) as undefined;
  }
  if (rest !== '') return no('has a query or a fragment', 'End it with the path.') as undefined;
  if (authority === '' || authority.startsWith(':')) return no('has no host') as undefined;
  if (
    !/^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})+)*\/?$/.test(path) ||
    /\/\.{1,2}(?:\/|$)/.test(path)
  ) {
    return no(
      'has a path with an empty segment, a dot segment or a character that must be escaped',
    ) as undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') return no('has no valid host or port') as undefined;
  return { origin: url.origin, basePath: path.replace(/\/$/, '') };
}
