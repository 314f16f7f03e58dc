import type { AuditRecord } from '../../src/record/index.js';

/** A record of a refused call, every member filled. */
export const REFUSED: AuditRecord = {
  time: '2026-01-01T00:00:00.000Z',
  request_id: 'req.J7q94MkPabcdefgh',
  sidecar: '0.1.0',
  tool: 'review_status',
  route: { method: 'GET', path: '/github/repos/{owner}/{repo}' },
  request_sha256: 'aa'.repeat(32),
  agent: null,
  contract: { name: 'review_status@1', version: '1.2.0', digest: 'bb'.repeat(32) },
  config_digest: 'cc'.repeat(32),
  upstream: 'https://api.example',
  attempts: [
    { status: 503, ms: 12, wire_bytes: 10, decoded_bytes: 10, fault: 'UPS_SERVER_ERROR' },
    { status: 200, ms: 30, wire_bytes: 400, decoded_bytes: 900, fault: null },
  ],
  outcome: 'failure',
  agent_code: 'INVALID_RESPONSE',
  operator_code: 'CON_NO_ALTERNATIVE',
  stage: 'schema',
  fault: { instance: '/user/login', schema: '/properties/user', rule: 'minLength', offset: 17 },
  alternative: null,
  body_sha256: 'dd'.repeat(32),
  answer: { status: 422, sha256: 'ee'.repeat(32), bytes: 120 },
  quarantine: 'q-1',
  stages_us: { admit: 100, forward: 42_000 },
};
