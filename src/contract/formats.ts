import {
  isDate,
  isDateTime,
  isDuration,
  isEmail,
  isHostname,
  isIPv4,
  isIPv6,
  isJsonPointer,
  isRelativeJsonPointer,
  isUri,
  isUriReference,
  isUriTemplate,
  isUuid,
} from '@hyperjump/json-schema-formats';
import ajvFormats from 'ajv-formats';

const TIME = timeOfAjvFormats();

/**
 * The formats that a contract can assert (JSON Schema 2020-12 Validation section 7.3). None accepts what the official
 * test suite calls invalid, none prints, and every function is linear in its text. `regex` and the internationalised
 * ones are left out: the first says nothing about data, and of the others some throw and some print on bad input.
 */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries({
    date: isDate,
    'date-time': isDateTime,
    duration: isDuration,
    email: isEmail,
    hostname: isPlainHostname,
    ipv4: isIPv4,
    ipv6: isIPv6,
    'json-pointer': isJsonPointer,
    'relative-json-pointer': isRelativeJsonPointer,
    time: isTime,
    uri: isUri,
    'uri-reference': isUriReference,
    'uri-template': isUriTemplate,
    uuid: isUuid,
  }).map(([name, decide]) => [name, neverThrows(decide)]),
);

// RFC 5891 section 4.2.3.1: `--` in the third and fourth place marks an internationalised label (`xn--`). Whether one is
// valid is not decided here: the package that could writes what upstream sent to the console. Undecided is refused.
function isPlainHostname(text: string): boolean {
  return isHostname(text) && !/(?:^|\.)..--/.test(text);
}

// RFC 3339 section 5.6 with leap seconds, which the other package cannot place without a date.
function isTime(text: string): boolean {
  return TIME(text) === true;
}

// The email function throws on an address literal that it does not know: undecided is refused.
function neverThrows(decide: (text: string) => boolean): (text: string) => boolean {
  return (text) => {
    try {
      return decide(text) === true;
    } catch {
      return false;
    }
  };
}

function timeOfAjvFormats(): (text: string) => unknown {
  const format = ajvFormats.default.get('time');
  const validate = typeof format === 'object' && 'validate' in format ? format.validate : undefined;
  if (typeof validate !== 'function') throw new Error('ajv-formats has no function for time');
  return validate as (text: string) => unknown;
}
