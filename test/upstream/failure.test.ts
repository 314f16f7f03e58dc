import t from 'tap';
import { errors } from 'undici';
import { type ConnectStage, connectFault, exchangeFault } from '../../src/upstream/failure.js';
import { LateTlsFailure } from '../../src/upstream/late-tls.js';

const failing = (code: string, syscall?: string) =>
  Object.assign(new Error('upstream text'), { code, ...(syscall && { syscall }) });

t.test('connecting', (t) => {
  const cases: [code: string, stage: ConnectStage, expected: string, syscall?: string][] = [
    ['ENOTFOUND', 'tcp', 'UPS_DNS', 'getaddrinfo'],
    ['EAI_AGAIN', 'tcp', 'UPS_DNS', 'getaddrinfo'],
    ['EAI_FAIL', 'tcp', 'UPS_DNS'],
    ['ENOMEM', 'tcp', 'UPS_DNS', 'getaddrinfo'],
    ['ECONNREFUSED', 'tcp', 'UPS_CONNECT', 'connect'],
    ['ETIMEDOUT', 'tcp', 'UPS_CONNECT', 'connect'],
    ['EHOSTUNREACH', 'tcp', 'UPS_CONNECT', 'connect'],
    ['ENETUNREACH', 'tcp', 'UPS_CONNECT', 'connect'],
    ['EMFILE', 'tcp', 'UPS_CONNECT', 'connect'],
    ['ECONNRESET', 'tls', 'UPS_CONNECT', 'read'],
    ['EPIPE', 'tls', 'UPS_CONNECT', 'write'],
    ['EPROTO', 'tls', 'UPS_TLS', 'write'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'UPS_TLS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'UPS_TLS'],
    ['CERT_HAS_EXPIRED', 'tls', 'UPS_TLS'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', 'UPS_TLS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'UPS_TLS'],
  ];
  for (const [code, stage, expected, syscall] of cases) {
    const fault = connectFault(failing(code, syscall), stage);
    t.strictSame([fault.code, fault.detail], [expected, { note: code }], `${code} in ${stage}`);
  }
  t.strictSame(connectFault(new Error('upstream text'), 'tls').detail, {});
  t.end();
});

t.test('an exchange', (t) => {
  const at = (sent: boolean, headSeen: boolean, peerClosed: boolean) => ({ sent, headSeen, peerClosed });
  const code = (error: Error, sent: boolean, headSeen: boolean, peerClosed: boolean) =>
    exchangeFault(error, at(sent, headSeen, peerClosed)).code;

  t.equal(code(new errors.SocketError('other side closed'), true, false, true), 'UPS_CLOSED');
  t.equal(code(new errors.SocketError('other side closed'), true, true, true), 'BYT_TRUNCATED');
  t.equal(code(new errors.SocketError('bad upgrade'), true, false, false), 'BYT_PROTOCOL');
  t.equal(code(failing('ECONNRESET', 'read'), true, false, true), 'UPS_CLOSED');
  t.equal(code(failing('ECONNRESET', 'read'), true, true, true), 'BYT_TRUNCATED');
  t.equal(code(failing('ETIMEDOUT', 'read'), true, true, true), 'BYT_TRUNCATED');
  t.equal(code(new errors.HTTPParserError('upstream text'), true, false, false), 'BYT_PROTOCOL');
  t.equal(code(new errors.HTTPParserError('upstream text'), true, true, false), 'BYT_PROTOCOL');
  t.equal(code(new errors.HTTPParserError('upstream text'), true, true, true), 'BYT_TRUNCATED');
  t.equal(code(new errors.ResponseContentLengthMismatchError(), true, false, false), 'BYT_PROTOCOL');
  t.equal(code(new errors.ResponseContentLengthMismatchError(), true, true, false), 'BYT_TRUNCATED');
  t.equal(code(new errors.HeadersOverflowError(), true, false, false), 'BYT_HEADERS_TOO_LARGE');
  t.equal(code(new errors.InvalidArgumentError('x'), false, false, false), 'INTERNAL');
  t.equal(code(new errors.NotSupportedError('x'), false, false, false), 'INTERNAL');
  t.equal(code(new errors.ClientDestroyedError(), false, false, false), 'UPS_CLOSED');
  t.equal(code(new errors.ClientClosedError(), false, false, false), 'UPS_CLOSED');
  t.equal(code(failing('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), true, false, false), 'UPS_TLS');
  for (const sent of [true, false]) {
    const fault = exchangeFault(failing('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), {
      sent,
      headSeen: false,
      peerClosed: false,
    });
    t.strictSame([fault.code, fault instanceof LateTlsFailure], ['UPS_TLS', sent]);
  }
  t.equal(code(failing('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), true, true, false), 'BYT_TRUNCATED');
  t.equal(code(new Error('upstream text'), false, false, false), 'UPS_CONNECT');
  t.equal(code(new Error('upstream text'), true, true, false), 'BYT_PROTOCOL');
  t.end();
});

t.test('no text of the other side is kept', (t) => {
  const spoken = [
    Object.assign(new errors.HTTPParserError('upstream text'), { code: 'upstream text' }),
    Object.assign(new Error('upstream text'), { code: 'Upstream Text' }),
    failing(`E${'X'.repeat(80)}`),
  ];
  for (const error of spoken) {
    for (const headSeen of [false, true]) {
      const fault = exchangeFault(error, { sent: true, headSeen, peerClosed: true });
      t.strictSame(fault.detail, {});
    }
    t.strictSame(connectFault(error, 'tls').detail, {});
  }
  t.end();
});
