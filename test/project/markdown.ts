import { posix } from 'node:path';

export interface Link {
  readonly target: string;
  readonly line: number;
}

/** Links and images of a Markdown text, fenced code left out. */
export function linksOf(text: string): Link[] {
  return withoutCode(text).flatMap((line, index) =>
    [...line.matchAll(/\]\(([^()\s]+)\)/g)].map((match) => ({ target: match[1] ?? '', line: index + 1 })),
  );
}

/** Anchors of the headings, as GitHub makes them; a second heading of the same text gets `-1`. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of withoutCode(text, { keepSpans: true })) {
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Everything in backticks or fences: what a reader may type or open. */
export function codeOf(text: string): string[] {
  const fences = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');
  const prose = text.replace(/^```[^\n]*\n[\s\S]*?^```/gm, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return [...fences, ...spans];
}

/** The lines, fenced ones and code spans blanked so that line numbers stay. */
function withoutCode(text: string, { keepSpans = false } = {}): string[] {
  let fenced = false;
  return text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
      return '';
    }
    if (fenced) return '';
    return keepSpans ? line : line.replace(/`[^`]*`/g, '');
  });
}

export interface BrokenLink extends Link {
  readonly why: 'no such file' | 'no such heading';
}

/** Relative links of `file` that lead nowhere. `open` gives a file's text, `there` whether a path exists. */
export function brokenLinks(
  file: string,
  text: string,
  there: (path: string) => boolean,
  open: (path: string) => string,
): BrokenLink[] {
  const broken: BrokenLink[] = [];
  for (const link of linksOf(text)) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link.target)) continue;
    const [path = '', anchor] = link.target.split('#');
    const target = path === '' ? file : posix.join(posix.dirname(file), path);
    if (!there(target)) broken.push({ ...link, why: 'no such file' });
    else if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(open(target)).has(anchor)) {
      broken.push({ ...link, why: 'no such heading' });
    }
  }
  return broken;
}
