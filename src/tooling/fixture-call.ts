import type { IncomingCall } from '../route/index.js';
import type { FixtureDefinition } from './fixture.js';
import { formText } from './form-text.js';

type Params = NonNullable<NonNullable<FixtureDefinition['request']>['params']>;

/** Where a fixture's route stands; no contract knows its real path. */
const PREFIX = 'fixture';

/** The path template that has every parameter of a contract once: `/fixture/{owner}/{repo}`. */
export function fixturePath(params: Iterable<string>): string {
  return ['', PREFIX, ...[...params].map((name) => `{${name}}`)].join('/');
}

/**
 * The call that a fixture's request makes, or one sentence on why it makes none.
 *
 * @param isForm the contract's body is urlencoded
 */
export function fixtureCall(
  params: Iterable<string>,
  method: string,
  request: FixtureDefinition['request'] = {},
  isForm = false,
): IncomingCall | string {
  const names = [...params];
  const given: Params = request.params ?? {};
  const missing = names.find((name) => !Object.hasOwn(given, name));
  if (missing !== undefined) return `request.params gives no value for ${missing}`;
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) return `the contract has no parameter ${unknown}`;

  const path = ['', PREFIX, ...names.map((name) => encodeURIComponent(String(given[name])))].join('/');
  const query = Object.entries(request.query ?? {}).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one, i) => `${encodeURIComponent(numbered(name, i))}=${encodeURIComponent(String(one))}`),
  );
  const headers = Object.entries(request.headers ?? {});
  const hasBody = request.body !== undefined;
  if (hasBody && !headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    headers.push(['content-type', isForm ? 'application/x-www-form-urlencoded' : 'application/json']);
  }
  return {
    method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    body: hasBody
      ? Buffer.from(isForm ? formText(request.body) : JSON.stringify(request.body))
      : new Uint8Array(),
    authenticated: true,
  };
}

/** `a[0]` stands for `a[1]` and so on in the places that follow it; any other name is repeated. */
function numbered(name: string, place: number): string {
  return name.replace(/\[0\]$/, `[${place}]`);
}
