import t from 'tap';
import { describeError } from '../../src/fault/index.js';
import type { AuditRecord } from '../../src/record/index.js';
import { callLog, createLogger, type Logger, logBug } from '../../src/server/log.js';
import { REFUSED } from './records.js';

function collector() {
  const lines: string[] = [];
  return { lines, stream: { write: (line: string) => void lines.push(line) } };
}

/** Logs calls and writes them at once. */
function log(logger: Logger, ...records: AuditRecord[]): void {
  const calls = callLog(logger);
  for (const record of records) calls.add(() => record);
  calls.flush();
}

t.test('one line per call, with what an operator searches by', async (t) => {
  const { lines, stream } = collector();
  log(createLogger('info', stream), REFUSED);
  t.equal(lines.length, 1);
  const { time, ...line } = JSON.parse(lines[0] ?? '');
  t.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  t.strictSame(line, {
    level: 'warn',
    request_id: 'req.J7q94MkPabcdefgh',
    tool: 'review_status',
    route: 'GET /github/repos/{owner}/{repo}',
    agent: null,
    contract: 'review_status@1 1.2.0',
    upstream: 'https://api.example',
    outcome: 'failure',
    agent_code: 'INVALID_RESPONSE',
    operator_code: 'CON_NO_ALTERNATIVE',
    stage: 'schema',
    instance: '/user/login',
    schema: '/properties/user',
    rule: 'minLength',
    offset: 17,
    upstream_status: 200,
    attempts: 2,
    bytes_in: 410,
    bytes_out: 120,
    status: 422,
    quarantine: 'q-1',
    us: { admit: 100, forward: 42_000 },
    msg: 'call',
  });
});

t.test('the level says whose fault it is', async (t) => {
  const { lines, stream } = collector();
  const logger = createLogger('info', stream);
  log(logger, {
    ...REFUSED,
    outcome: 'success',
    agent_code: null,
    operator_code: null,
    fault: null,
    stage: null,
  });
  log(logger, { ...REFUSED, agent_code: 'INTERNAL', operator_code: 'AUD_UNAVAILABLE' });
  t.strictSame(
    lines.map((line) => JSON.parse(line).level),
    ['info', 'error'],
  );
  const quiet = collector();
  log(createLogger('error', quiet.stream), REFUSED);
  t.equal(quiet.lines.length, 0);
});

t.test('names of the upstream in a pointer are bounded and cannot act on a terminal', async (t) => {
  const { lines, stream } = collector();
  const instance = `/\u001b[2J\u202e\u200b\u2028\ud800${'x'.repeat(5_000)}`;
  log(createLogger('info', stream), { ...REFUSED, fault: { instance } });
  const [line = ''] = lines;
  t.notMatch(line.trimEnd(), /[^ -~]/, 'printable ASCII only');
  const shown = JSON.parse(line).instance;
  t.ok(shown.startsWith('/\\u{1b}[2J\\u{202e}\\u{200b}\\u{2028}\\u{d800}xxx'));
  t.ok(shown.length < 320);
  t.match(shown, /\.\.\.$/);
});

t.test('a fault before any route has nulls, and no attempts', async (t) => {
  const { lines, stream } = collector();
  log(createLogger('info', stream), {
    ...REFUSED,
    tool: null,
    route: null,
    contract: null,
    upstream: null,
    attempts: [],
    answer: null,
  });
  const line = JSON.parse(lines[0] ?? '');
  t.match(line, { tool: null, route: null, contract: null, upstream: null, attempts: 0, bytes_in: 0 });
  t.equal(line.upstream_status, undefined);
});

t.test('header-like members never show their value', async (t) => {
  const { lines, stream } = collector();
  const canary = 'sk_live_canary';
  createLogger('info', stream).info({
    headers: { authorization: canary },
    request: { headers: canary, token: canary, deep: { cookie: canary } },
    authorization: canary,
    body: canary,
  });
  t.notMatch(lines[0], canary);
  t.match(lines[0], /\[redacted\]/);
});

t.test('a bug is logged with frames; its message only where Node worded it', async (t) => {
  const { lines, stream } = collector();
  const logger = createLogger('info', stream);
  logBug(logger, 'req.12345678', new SyntaxError('Unexpected token in {"secret":"canary"}'));
  logBug(logger, 'req.12345678', new TypeError('x is not a function'));
  logBug(logger, 'req.12345678', 'canary');
  t.notMatch(lines.join(''), 'canary');
  t.match(JSON.parse(lines[0] ?? ''), {
    level: 'error',
    operator_code: 'INTERNAL',
    error: 'SyntaxError',
    frames: [/^at /],
  });
  t.match(JSON.parse(lines[1] ?? ''), { error: 'TypeError', message: 'x is not a function' });
  t.match(describeError(null), { error: 'object' });
});

t.test('lines of calls are written together, in the order of the calls, each record made once', async (t) => {
  const { lines, stream } = collector();
  const calls = callLog(createLogger('info', stream));
  let made = 0;
  const later = (id: string) => () => {
    made++;
    return { ...REFUSED, request_id: id };
  };
  calls.add(later('req.00000001'));
  calls.add(later('req.00000002'));
  t.equal(made, 0);
  calls.flush();
  calls.flush();
  t.strictSame(
    lines.map((line) => JSON.parse(line).request_id),
    ['req.00000001', 'req.00000002'],
  );
  t.equal(made, 2);
});

t.test('lines of calls are written by themselves, soon or when many wait', async (t) => {
  const { lines, stream } = collector();
  const calls = callLog(createLogger('info', stream));
  for (let i = 0; i < 256; i++) calls.add(() => REFUSED);
  t.equal(lines.length, 256, 'many');
  calls.add(() => REFUSED);
  while (lines.length < 257) await new Promise((resolve) => setTimeout(resolve, 5));
  t.pass('soon');
});

t.test('a record that cannot be made takes no other line along', async (t) => {
  const { lines, stream } = collector();
  const calls = callLog(createLogger('info', stream));
  calls.add(() => REFUSED);
  calls.add(() => {
    throw new TypeError('bug');
  });
  calls.add(() => REFUSED);
  calls.flush();
  t.strictSame(
    lines.map((line) => JSON.parse(line).msg),
    ['call', 'bug', 'call'],
  );
});
