import { type Answer, ResponseHeaders } from '../upstream/index.js';
import type { FixtureDefinition } from './fixture.js';

/** What stands for the headers of a fixture that gives none. */
const DEFAULT_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** A fixture's answer as the upstream client hands over one that has arrived in one piece. */
export function fixtureAnswer(answer: FixtureDefinition['answer'], body: Uint8Array): Answer {
  const lines = Object.entries(answer.headers ?? DEFAULT_HEADERS).flatMap(([name, values]) =>
    [values].flat().map((value) => [name.toLowerCase(), value] as const),
  );
  return {
    status: answer.status,
    headers: new ResponseHeaders(lines),
    closeDelimited: false,
    body: {
      whole: body,
      drain: async (sink) => (body.byteLength === 0 ? undefined : sink(body)),
      discard() {},
    },
  };
}
