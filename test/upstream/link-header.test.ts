import fc from 'fast-check';
import t from 'tap';
import { parseLinks } from '../../src/upstream/index.js';

/** `target rel,rel` of each link, an `@` before one about another resource; undefined for a malformed header. */
function brief(...lines: string[]): string[] | undefined {
  return parseLinks(lines)?.map(
    ({ target, rels, isElsewhere }) => `${isElsewhere ? '@' : ''}${target} ${rels.join(',')}`,
  );
}

t.test('links', async (t) => {
  t.same(brief(), []);
  t.same(brief(''), []);
  t.same(brief('<https://api.example/x?page=2>; rel="next"'), ['https://api.example/x?page=2 next']);
  t.same(
    brief('<https://a.example/?p=2>; rel="next", <https://a.example/?p=9>; rel="last"', '</?p=1>;rel=first'),
    ['https://a.example/?p=2 next', 'https://a.example/?p=9 last', '/?p=1 first'],
  );
  t.same(brief('<?p=2>; rel="Next  LAST"'), ['?p=2 next,last'], 'several relation types');
  t.same(brief('<>;rel=self'), [' self'], 'an empty reference');
  t.same(brief('< >; rel=next'), undefined);
  t.same(brief('</a,b;c>; rel=next'), ['/a,b;c next'], 'delimiters inside a reference');
  t.same(brief('</x>; title="a, <b>; rel=\\"no\\""; rel=next'), ['/x next'], 'delimiters inside a text');
  t.same(brief('</x> ;  rel = next ; crossorigin'), ['/x next'], 'blanks, and a parameter without value');
  t.same(brief('</x>; anchor="#part"; rel=next'), ['@/x next']);
  t.same(brief('</x>; rel="https://example.com/rels/next"'), ['/x https://example.com/rels/next']);
  t.same(brief("</x>; title*=UTF-8''%e2%82%ac; rel=next"), ['/x next']);
});

t.test('what is not a Link header', async (t) => {
  for (const line of [
    'https://a.example/; rel=next',
    '<https://a.example/; rel=next',
    '<https://a.example/>',
    '<https://a.example/> rel=next',
    '</x>; rel=',
    '</x>; rel=""',
    '</x>; rel="next',
    '</x>; rel="next" "last"',
    '</x>; rel=next; rel=last',
    '</x>; rel=next; title=a; title=b',
    '</x>; rel=next,',
    ',</x>; rel=next',
    '</x>; rel=next, , </y>; rel=last',
    '</x>; rel=next</y>; rel=last',
    '</x>; ; rel=next',
    '</x y>; rel=next',
    '</x%zz>; rel=next',
    '</x"y>; rel=next',
    '</é>; rel=next',
    '</x>; rel="n€xt"',
    '</x>; rel="2nd"',
    '<</x>>; rel=next',
    '</x>; rel=next\u0000',
  ]) {
    t.equal(brief(line), undefined, JSON.stringify(line));
    t.equal(brief('</ok>; rel=first', line), undefined, `${JSON.stringify(line)} beside a sound one`);
  }
  t.equal(brief(Array.from({ length: 65 }, () => '</x>; rel=next').join(',')), undefined, 'too many');
  t.equal(brief(Array.from({ length: 64 }, () => '</x>; rel=next').join(','))?.length, 64);
});

t.test('what is written by the grammar is read as it was', async (t) => {
  const target = fc.webUrl({ withQueryParameters: true }).filter((url) => /^[\x21-\x7e]*$/.test(url));
  const rels = fc.array(fc.constantFrom('next', 'prev', 'last', 'self', 'x-y.z'), {
    minLength: 1,
    maxLength: 3,
  });
  const title = fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''));
  fc.assert(
    fc.property(fc.array(fc.record({ target, rels, title }), { maxLength: 5 }), (links) => {
      const line = links
        .map(({ target, rels, title }) => {
          const quoted = title.replaceAll(/["\\]/g, '\\$&');
          return `<${target}>; title="${quoted}"; rel="${rels.join(' ')}"`;
        })
        .join(', ');
      t.same(
        brief(line),
        links.map(({ target, rels }) => `${target} ${rels.join(',')}`),
        line,
      );
    }),
    { seed: 20260104, numRuns: 200 },
  );
});

t.test('long junk takes linear time', async (t) => {
  for (const junk of ['<', '</x>;', '</x>; rel="', '</x>; a\t \t', '</x>; rel=next,']) {
    t.equal(parseLinks([junk.repeat(20_000)]), undefined, junk);
  }
});
