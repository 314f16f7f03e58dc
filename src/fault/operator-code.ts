import type { AgentCode } from './agent-code.js';

/** The stages of one call, in their fixed order (docs/lifecycle.md). */
export const STAGES = [
  'admit',
  'request',
  'forward',
  'transport',
  'scan',
  'schema',
  'checks',
  'select',
  'result',
  'record',
  'answer',
] as const;

export type Stage = (typeof STAGES)[number];

export interface OperatorCodeRow {
  /** The stage that a call leaves at with this code. */
  readonly stage: Stage;
  /** What the agent is told. */
  readonly agent: AgentCode;
  /** HTTP status towards the agent where it differs from the agent code's default. */
  readonly status?: number;
  /** What happened, in one sentence. */
  readonly what: string;
  /** What the operator does about it. */
  readonly remedy: string;
}

/**
 * Every reason for which a call can fail, for the operator. One row here is the only place a code is made:
 * `assay explain`, docs/operator-codes.md and the agent code all come from it.
 */
export const OPERATOR_CODES = {
  // Stage 1 and 2: the agent's call
  REQ_UNAUTHENTICATED: {
    stage: 'admit',
    agent: 'DENIED',
    status: 401,
    what: "The call carries no bearer token, or not the one of the configuration's server.agent_auth.",
    remedy:
      'Give the agent host the token that server.agent_auth names; check which secret the sidecar resolved at start.',
  },
  REQ_PROTOCOL: {
    stage: 'admit',
    agent: 'INVALID_REQUEST',
    what: 'What arrived on the agent side is not sound HTTP/1.1, lacks its one Host header, or did not arrive in time.',
    remedy:
      'Look at the agent host or at what stands between it and the sidecar. Only the log has a line of it: there was no call to record.',
  },
  REQ_NO_ROUTE: {
    stage: 'admit',
    agent: 'INVALID_REQUEST',
    status: 404,
    what: 'No configured route has this method and path.',
    remedy:
      "Compare the call's method and path with routes in the configuration; the upstream's mount is the first part of the path.",
  },
  REQ_PATH_TOO_LONG: {
    stage: 'admit',
    agent: 'INVALID_REQUEST',
    what: 'The request target is longer than the limit path_bytes.',
    remedy: 'Shorten the call, or raise limits.path_bytes where such paths are expected.',
  },
  REQ_PATH_UNSAFE: {
    stage: 'admit',
    agent: 'INVALID_REQUEST',
    what: 'The path has a dot segment, an empty segment, a backslash, a control character or a broken percent-escape, as sent or after one or two decodes.',
    remedy:
      'Nothing to do here: find out which agent or text produced the path. The contract cannot allow it.',
  },
  REQ_PARAM_INVALID: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: "A path parameter does not satisfy its schema in the contract's request.params.",
    remedy:
      'If the value is legitimate, widen the schema of that parameter and add an accept fixture with it.',
  },
  REQ_QUERY_UNKNOWN: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: "The query has a parameter that the contract's request.query does not declare.",
    remedy: 'If the upstream needs it, declare it in request.query with a schema.',
  },
  REQ_QUERY_INVALID: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: 'A query parameter is missing, repeated where one value is declared, badly escaped, or does not satisfy its schema.',
    remedy:
      'Look at the instance pointer for the parameter; widen its schema or declare it as an array if the value is legitimate.',
  },
  REQ_HEADER_INVALID: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: 'A declared request header is missing, repeated or does not satisfy its schema in request.headers.',
    remedy: 'Look at the instance pointer for the header name; widen its schema if the value is legitimate.',
  },
  REQ_BODY_UNDECLARED: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: 'The call carries a body and the contract declares none.',
    remedy: 'If the upstream needs it, declare request.body with a media type and a schema.',
  },
  REQ_BODY_MEDIA_TYPE: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: "The body's media type, charset or content coding is not the declared one.",
    remedy: "Compare the agent's content-type and content-encoding with request.body.media_type.",
  },
  REQ_BODY_TOO_LARGE: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    status: 413,
    what: 'The request body is larger than the limit request_bytes.',
    remedy: 'Raise limits.request_bytes of the route if bodies of that size are expected.',
  },
  REQ_BODY_SYNTAX: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: 'The request body is missing, or is not strict JSON or not strictly urlencoded, as the contract declares it; the record names the rule and the position.',
    remedy:
      'Fix the client: the body must be one UTF-8 JSON document without duplicate members, or name=value pairs joined by & with everything else escaped.',
  },
  REQ_BODY_INVALID: {
    stage: 'request',
    agent: 'INVALID_REQUEST',
    what: 'The request body does not satisfy the schema of request.body.',
    remedy: 'Look at the instance and schema pointers; widen the schema if the body is legitimate.',
  },
  REQ_ABORTED: {
    stage: 'forward',
    agent: 'INTERNAL',
    status: 499,
    what: 'The agent host closed its connection before the answer was ready; the upstream call was cancelled.',
    remedy:
      "Compare the agent host's own timeout with limits.total: the agent must wait longer than the sidecar.",
  },
  OVERLOADED: {
    stage: 'admit',
    agent: 'OVERLOADED',
    what: 'The sidecar shed the call: event-loop delay, memory or calls in flight are over their limits.',
    remedy:
      'Look at server.pressure and the number of calls in flight; give the sidecar more CPU or run more of them.',
  },

  // Stage 3: reaching the upstream
  UPS_DNS: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: "The upstream's host name did not resolve.",
    remedy:
      'Resolve the host of base_url from inside the container; check its DNS configuration and the network policy.',
  },
  UPS_CONNECT: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: 'The connection to the upstream was refused or could not be routed.',
    remedy: 'Check host and port of base_url and the egress policy.',
  },
  UPS_CONNECT_TIMEOUT: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: 'Name resolution, TCP and TLS together took longer than limits.connect.',
    remedy: 'Check the network path; raise limits.connect only if such times are normal.',
  },
  UPS_TLS: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: "The upstream's TLS certificate was not accepted, or it does not speak TLS on that port.",
    remedy:
      'Check the certificate chain, its host names and dates; a private CA is given with NODE_EXTRA_CA_CERTS. Verification cannot be turned off.',
  },
  UPS_FIRST_BYTE_TIMEOUT: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: "The upstream's status line and headers did not arrive within limits.first_byte.",
    remedy: 'Look at the upstream; raise limits.first_byte if the operation is slow by nature.',
  },
  UPS_TOTAL_TIMEOUT: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: 'The call was not complete within limits.total, counted over every attempt and the whole body.',
    remedy:
      'Look at the milliseconds per stage in the record; raise limits.total if the answer is legitimately slow.',
  },
  UPS_CLOSED: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: 'The upstream closed or reset the connection before a complete status line and headers.',
    remedy:
      "Look at the upstream's log and at anything between (load balancer idle timeouts are a frequent cause).",
  },
  UPS_CIRCUIT_OPEN: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: "The upstream's circuit breaker is open: too many requests in a row had no answer or a 5xx status, so nothing was sent.",
    remedy:
      'Look at the faults of the calls before this one, and at the breakers in /status; the circuit closes by itself once a request that is let through gets an answer.',
  },
  UPS_DENIED: {
    stage: 'forward',
    agent: 'DENIED',
    what: 'The upstream answered 401 or 403 and the contract declares no alternative for it.',
    remedy:
      "Check the credential that the upstream's headers name: expired, revoked, or without the needed scope.",
  },
  UPS_RATE_LIMITED: {
    stage: 'forward',
    agent: 'RATE_LIMITED',
    what: 'The upstream answered 429 and the contract declares no alternative for it.',
    remedy: "Reduce the agent's call rate or raise the upstream quota.",
  },
  UPS_SERVER_ERROR: {
    stage: 'forward',
    agent: 'UPSTREAM_UNAVAILABLE',
    what: 'The upstream answered with a 5xx status that the contract does not declare.',
    remedy:
      'Look at the upstream; the record has its status. Declare the status in the contract if it has a meaning.',
  },

  // Stage 4: status, framing, type, coding, size
  BYT_PROTOCOL: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The upstream does not speak sound HTTP/1.1: a malformed status line, header, length or chunk, or an unasked protocol switch.',
    remedy:
      'Capture the exchange between sidecar and upstream; a proxy or a broken server in between is the usual cause.',
  },
  BYT_FRAMING: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'Transfer-Encoding is anything but one "chunked", or stands beside Content-Length (RFC 9112 section 6).',
    remedy: 'Fix the upstream or the proxy in front of it: such an answer can be read in two ways.',
  },
  BYT_INTERIM: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The upstream sent more interim (1xx) responses than the limit.',
    remedy: 'Look at the upstream; a handful of 100/102/103 is normal, a flood is not.',
  },
  BYT_HEADERS_TOO_LARGE: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The response headers exceed limits.header_bytes or limits.header_lines.',
    remedy: 'Find the large header; raise the limit only if the upstream needs it.',
  },
  BYT_HEADER_DUPLICATE: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'A header that may stand once (such as Content-Type, Content-Length, Date) stands more than once, or Content-Length is a list.',
    remedy: 'Fix the upstream or the proxy that adds the second one: two readers could choose differently.',
  },
  BYT_REDIRECT: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The upstream answered with a redirect; redirects are never followed.',
    remedy: 'Point base_url or the path template at the final location.',
  },
  BYT_STATUS: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The contract declares no alternative for this status.',
    remedy: 'If the status has a meaning for the tool, add an alternative for it with a fixture.',
  },
  BYT_MEDIA_TYPE: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The media type is missing, malformed or not the declared one.',
    remedy:
      'An HTML page with status 200 is the usual cause: a login or maintenance page. Declare media_type if the type is legitimate.',
  },
  BYT_CHARSET: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The charset parameter is not utf-8.',
    remedy: 'JSON is UTF-8 only (RFC 8259 section 8.1): fix the upstream.',
  },
  BYT_CODING: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The content coding is unknown, was not offered, or there is more than one.',
    remedy: "Offer it in the upstream's codings if it is gzip or br; otherwise fix the upstream.",
  },
  BYT_CODING_CORRUPT: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The compressed body does not decode, ends early or has bytes after its end.',
    remedy: 'Look for a proxy that cuts or labels bodies wrongly.',
  },
  BYT_RATIO: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The body decompresses to more than limits.ratio times its size on the wire.',
    remedy: 'Treat it as an attack unless the upstream really sends such bodies; then raise limits.ratio.',
  },
  BYT_WIRE_TOO_LARGE: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The body is larger on the wire than limits.wire_bytes.',
    remedy: 'Ask the upstream for less (page size, fields) or raise the limit for this route.',
  },
  BYT_DECODED_TOO_LARGE: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The body decodes to more than limits.decoded_bytes.',
    remedy: 'Ask the upstream for less (page size, fields) or raise the limit for this route.',
  },
  BYT_TRUNCATED: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The connection ended before the length or the last chunk that the framing promised.',
    remedy: 'Look at the upstream and the network: the body was cut, even if what came is valid JSON.',
  },
  BYT_INCOMPLETE: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The body is delimited only by the end of the connection and the document cannot prove that it is whole.',
    remedy: 'Make the upstream send Content-Length or chunked framing.',
  },
  BYT_BODY_UNEXPECTED: {
    stage: 'transport',
    agent: 'INVALID_RESPONSE',
    what: 'The alternative declares no body and one came, or the status allows none.',
    remedy: 'Declare a schema for that alternative if the body has a meaning.',
  },

  // Stage 5: the strict scan
  PRS_EMPTY: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'The body has no JSON document: it is empty or only white space.',
    remedy: 'Declare an alternative without schema if an empty body is a legitimate answer.',
  },
  PRS_BOM: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'The body starts with a byte order mark.',
    remedy: 'Fix the upstream: JSON is sent without a BOM (RFC 8259 section 8.1).',
  },
  PRS_UTF8: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A byte sequence is not UTF-8 (RFC 3629).',
    remedy: 'Fix the encoding of the upstream: another charset, a cut character, or unlabelled compression.',
  },
  PRS_SYNTAX: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A byte does not fit the JSON grammar (RFC 8259) at that place.',
    remedy:
      'Look at the offset: an HTML page, NaN, a trailing comma, a comment or a guard prefix are the usual causes.',
  },
  PRS_CONTROL: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A string holds a control character that must be escaped.',
    remedy: 'Fix the upstream: it builds JSON by hand.',
  },
  PRS_ESCAPE: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A string has an escape that JSON does not know.',
    remedy: 'Fix the upstream: it builds JSON by hand.',
  },
  PRS_TRUNCATED: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'The body ends inside the document.',
    remedy: 'Look at the upstream: it stopped while writing.',
  },
  PRS_TRAILING: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'Something other than white space follows the document.',
    remedy: 'An error page appended by a framework or a second document is the usual cause.',
  },
  PRS_DUPLICATE_NAME: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'An object has two members of the same name (compared after unescaping).',
    remedy: 'Fix the upstream: two readers would choose different members.',
  },
  PRS_DUPLICATE_NAME_CASE: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'An object has two members whose names differ only in case, and the contract has names: case_insensitive.',
    remedy: 'Fix the upstream, or drop that rule if every consumer is case-sensitive.',
  },
  PRS_DEPTH: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'Arrays and objects are nested deeper than limits.depth.',
    remedy: 'Raise limits.depth only if the upstream needs it.',
  },
  PRS_MEMBERS: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'An object has more members than limits.members.',
    remedy: 'Raise limits.members only if the upstream needs it.',
  },
  PRS_ITEMS: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'An array has more items than limits.items.',
    remedy: 'Ask for a smaller page, or raise limits.items.',
  },
  PRS_TOKENS: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'The document has more values and names than limits.tokens.',
    remedy: 'Ask for a smaller page, or raise limits.tokens.',
  },
  PRS_NAME_LENGTH: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A member name is longer than limits.name_bytes.',
    remedy: 'Raise limits.name_bytes only if the upstream needs it.',
  },
  PRS_STRING_LENGTH: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A string is longer than limits.string_bytes.',
    remedy: 'Raise limits.string_bytes only if the upstream needs it.',
  },
  PRS_NUMBER_LENGTH: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A number is longer than limits.number_bytes.',
    remedy: 'Raise limits.number_bytes only if the upstream needs it.',
  },
  PRS_INTEGER_RANGE: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'An integer in the kept part lies beyond +-(2^53-1), so it would be rounded.',
    remedy: 'Use numbers: string in the contract to carry the digits as text.',
  },
  PRS_NUMBER_PRECISION: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A number in the kept part cannot be held by a double: overflow, underflow to zero, or more digits than survive.',
    remedy: 'Use numbers: string in the contract to carry the digits as text.',
  },
  PRS_SURROGATE: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A string or name in the kept part has an unpaired surrogate escape.',
    remedy: 'Fix the upstream: it cuts text in the middle of a character.',
  },
  PRS_PATTERN: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A text body matches the pattern of no alternative as a whole.',
    remedy:
      'Look at the offset, from which on it fits no more: a banner, a warning or an error message around the text is the usual cause. Do not widen the pattern to take anything.',
  },
  PRS_PROTO_NAME: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'An object in the kept part has a member named __proto__.',
    remedy: 'Treat it as an attack: no API needs that name.',
  },

  // Stage 5: the signatures that the contract demands (docs/signatures.md)
  SIG_MISSING: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'The answer lacks a signature or digest that its contract demands.',
    remedy:
      'Something stripped it, or the upstream stopped signing. A failure that the upstream does not sign needs unsigned: true.',
  },
  SIG_FORM: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A signature or digest is malformed, ambiguous, or stands in the answer more than once.',
    remedy: "Compare the header with the contract's signatures: its name, prefix, encoding, label or tag.",
  },
  SIG_ALGORITHM: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A signature names an algorithm that the contract does not allow, or an extension that must be understood and is not.',
    remedy:
      'An unknown algorithm, and none above all, is how signatures are forged. If the upstream changed it on purpose, change the contract.',
  },
  SIG_COVERAGE: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'An HTTP message signature does not cover every component that the contract demands, or covers one that cannot be known here.',
    remedy: "Compare the covered components of signature-input with the contract's components.",
  },
  SIG_KEY: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'No configured key has the key id that the signature names, or the key is not for its algorithm.',
    remedy:
      "Look at the upstream's keys in the configuration. A key set is asked again for a new key id, but not more often than its retry time.",
  },
  SIG_KEYS_UNAVAILABLE: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'The key set that the signature is to be verified with could not be fetched, or is not sound.',
    remedy:
      'Fetch the URL of jwks by hand: it has to answer 200 with a JSON key set, in time, without a redirect and within its size.',
  },
  SIG_INVALID: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A signature does not verify: the answer was changed on its way, or another key made the signature.',
    remedy:
      'Treat it as an attack until it is explained. The usual explanation is a proxy that compresses or rewrites bodies, or a key that changed.',
  },
  SIG_DIGEST: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'The bytes of the body are not those that a digest of the answer was made of.',
    remedy:
      'The body was changed or cut on its way, or coded after the digest was made: codings: [] in the upstream asks for it uncoded.',
  },
  SIG_CLAIMS: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A signed token is of another issuer, for another audience, of another type, or lacks a claim that the contract demands.',
    remedy:
      'Tokens of another service are not answers of this one. Compare iss, aud and typ with the contract.',
  },
  SIG_TIME: {
    stage: 'scan',
    agent: 'INVALID_RESPONSE',
    what: 'A signature is expired, not yet valid, or older than the contract allows.',
    remedy:
      'Compare the clocks of sidecar and upstream (NTP), then max_age and skew; an old signature may be a replay.',
  },

  // Stage 6: the alternatives of the contract
  CON_NO_ALTERNATIVE: {
    stage: 'schema',
    agent: 'INVALID_RESPONSE',
    what: 'No alternative of the contract accepts the answer.',
    remedy:
      'Look at the instance and schema pointers: the upstream drifted or the schema is too narrow. Fix it and add the answer as a fixture.',
  },
  CON_AMBIGUOUS: {
    stage: 'schema',
    agent: 'INVALID_RESPONSE',
    what: 'More than one alternative of the contract accepts the answer, so its meaning is undecided.',
    remedy: 'Tell the alternatives apart with a const or enum member, or a status.',
  },
  CON_HEADER: {
    stage: 'schema',
    agent: 'INVALID_RESPONSE',
    what: 'A response header that the alternative declares is missing, stands more than once or does not satisfy its schema.',
    remedy:
      'The record names the header and its schema. Fix the upstream or what stands before it, widen the schema, or take the header out of required_headers.',
  },
  CON_DECLARED_FAILURE: {
    stage: 'schema',
    agent: 'INVALID_RESPONSE',
    what: 'The answer matches an alternative that the contract declares as a failure; the agent gets the code declared there.',
    remedy:
      'Nothing is wrong with the sidecar: the upstream said no. The record has the alternative and the agent code.',
  },
  CON_UNMAPPED_FAILURE: {
    stage: 'schema',
    agent: 'INVALID_RESPONSE',
    what: "The answer matches a failure alternative, but the value it reads is not in the alternative's map, or none of its cases holds.",
    remedy: 'Add the value to failure.map, or a case, with the code that fits, and a refuse fixture.',
  },
  CON_THREW: {
    stage: 'schema',
    agent: 'INVALID_RESPONSE',
    what: 'The validator, or a case of a failure, could not decide (it threw on the data); undecided is refused.',
    remedy:
      'Where the schema pointer leads to a case, say in it what holds for such data. Else keep the answer and report it: the schema uses a construct that the validator cannot evaluate on this data.',
  },

  // Stage 7: the checks
  CHK_BIND: {
    stage: 'checks',
    agent: 'INVALID_RESPONSE',
    what: 'A bind check failed: the answer does not belong to this request.',
    remedy:
      'A cache keyed too coarsely or a mixed-up connection is the usual cause. The record names the check.',
  },
  CHK_FRESH_STALE: {
    stage: 'checks',
    agent: 'INVALID_RESPONSE',
    what: 'A fresh check failed: the answer is older than its window.',
    remedy: 'A cache serves old answers, or the window is too small. The record has the age in seconds.',
  },
  CHK_FRESH_FUTURE: {
    stage: 'checks',
    agent: 'INVALID_RESPONSE',
    what: 'A fresh check failed: the time in the answer lies in the future beyond the allowed clock skew.',
    remedy: "Compare the clocks of sidecar and upstream (NTP); raise the check's skew if they drift.",
  },
  CHK_FRESH_UNKNOWN: {
    stage: 'checks',
    agent: 'INVALID_RESPONSE',
    what: 'A fresh check could not be decided: the time is missing or is not in the declared form.',
    remedy: 'Name a member or header that always carries a full time with its zone.',
  },

  CHK_RULE: {
    stage: 'checks',
    agent: 'INVALID_RESPONSE',
    what: 'A rule of the contract does not hold on the answer.',
    remedy:
      'The record names the rule. Look at the values it reads: the upstream is inconsistent, or the rule is too narrow.',
  },
  CHK_RULE_UNDECIDED: {
    stage: 'checks',
    agent: 'INVALID_RESPONSE',
    what: 'A rule of the contract could not be decided: a division by zero, an index without item, a text that is no time, or a value of another kind than the schema says.',
    remedy:
      'The record names the rule. Say in the rule what holds in that case, such as size(list) == 0 || list[0] > 1, or require the value in the schema.',
  },

  // Stage 8: selection
  SEL_MISSING: {
    stage: 'select',
    agent: 'INVALID_RESPONSE',
    what: 'A selected value is absent and the field is not optional.',
    remedy:
      'Make the member required in the schema, or the field optional in select and in the result schema.',
  },
  SEL_TYPE: {
    stage: 'select',
    agent: 'INVALID_RESPONSE',
    what: 'A selected value is not of a kind that this field can take (an object or array for a scalar, null for text).',
    remedy: 'Narrow the type in the schema, so that the refusal comes with the schema pointer.',
  },
  SEL_MAP: {
    stage: 'select',
    agent: 'INVALID_RESPONSE',
    what: "A selected value is not in the field's map.",
    remedy: 'Add the value to the map if its meaning is known, and to the enum of the schema.',
  },
  SEL_CONVERT: {
    stage: 'select',
    agent: 'INVALID_RESPONSE',
    what: 'A selected value cannot be converted exactly as the field demands.',
    remedy: 'Look at the instance pointer; choose a conversion that fits what the upstream sends.',
  },
  SEL_TEXT: {
    stage: 'select',
    agent: 'INVALID_RESPONSE',
    what: 'A selected string has a control, bidirectional, zero-width, tag, private-use or noncharacter code point, or display text is too long.',
    remedy:
      'Where the schema pointer ends in max_length the text is only too long: shorten it at the source, or raise max_length. Otherwise treat it as an attempt to hide text from people; text: display allows line breaks and emoji joiners where prose is wanted.',
  },
  SEL_TOO_MANY: {
    stage: 'select',
    agent: 'INVALID_RESPONSE',
    what: "A selected array has more items than the field's max.",
    remedy: 'Raise max and the maxItems of the result schema, or use take with a total.',
  },

  // Stage 9: the last gate
  CON_RESULT: {
    stage: 'result',
    agent: 'INVALID_RESPONSE',
    what: 'The selected result does not satisfy the closed result schema.',
    remedy:
      'Look at the instance and schema pointers: the upstream sends a value that the result schema bounds away.',
  },

  // Stage 10 and our own faults
  AUD_UNAVAILABLE: {
    stage: 'record',
    agent: 'INTERNAL',
    what: 'The audit record could not be written, so no answer was given.',
    remedy:
      'Free disk space or fix the permissions of audit.file. If the file was changed by someone else, move it away. The sidecar recovers by itself.',
  },
  INTERNAL: {
    stage: 'answer',
    agent: 'INTERNAL',
    what: 'A bug in the sidecar: something threw where a value was expected.',
    remedy: 'The log has the stack under the request id. Report it.',
  },
} as const satisfies Record<string, OperatorCodeRow>;

export type OperatorCode = keyof typeof OPERATOR_CODES;

/** The row of a code, widened so that the optional members can be read. */
export function operatorCode(code: OperatorCode): OperatorCodeRow {
  return OPERATOR_CODES[code];
}

export function isOperatorCode(value: unknown): value is OperatorCode {
  return typeof value === 'string' && Object.hasOwn(OPERATOR_CODES, value);
}
