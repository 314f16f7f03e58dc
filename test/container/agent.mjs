/**
 * Stands in for an agent host in docker-compose.yml: plain fetch calls whose base URL is the sidecar. It prints what
 * it gets and exits 0 only when every call gave what it should and the upstream cannot be reached past the sidecar.
 */
const { SIDECAR, UPSTREAM, ASSAY_TOKEN } = process.env;
const REPO = `${SIDECAR}/github/repos/octocat/hello-world`;
const authorization = `Bearer ${ASSAY_TOKEN}`;

/** What is asked, and the outcome that has to come: `success` or an agent code. */
const CALLS = [
  ['an approved review', `${REPO}/pulls/1347/reviews/80`, 'success'],
  ['a workflow run of now', `${REPO}/actions/runs/30433642`, 'success'],
  ['an issue with its title as untrusted text', `${REPO}/issues/1347`, 'success'],
  ['a review that does not exist', `${REPO}/pulls/1347/reviews/99`, 'NOT_FOUND'],
  ['a deployment whose state became an object', `${REPO}/deployments/42/statuses/8`, 'INVALID_RESPONSE'],
  ['a review with a duplicate member', `${REPO}/pulls/1347/reviews/83`, 'INVALID_RESPONSE'],
  ['a review that was not asked for', `${REPO}/pulls/1347/reviews/86`, 'INVALID_RESPONSE'],
  ['a maintenance page with status 200', `${REPO}/pulls/1347/reviews/87`, 'INVALID_RESPONSE'],
  ['an upstream that is down', `${REPO}/issues/1350`, 'UPSTREAM_UNAVAILABLE'],
  ['a path that no route has', `${REPO}/secrets`, 'INVALID_REQUEST'],
];

let wrong = 0;
function tell(good, text) {
  if (!good) wrong += 1;
  console.log(`${good ? 'ok  ' : 'FAIL'} ${text}`);
}

async function ask(url, headers) {
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(15_000) });
  return { status: response.status, text: await response.text() };
}

/** The sidecar may still be starting; anything that it answers will do. */
async function sidecarAnswers() {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    try {
      await ask(`${SIDECAR}/`, {});
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  return false;
}

async function calls() {
  for (const [title, url, expected] of CALLS) {
    const { status, text } = await ask(url, { authorization });
    const envelope = JSON.parse(text);
    const outcome = envelope.outcome === 'success' ? 'success' : envelope.error?.code;
    const shape = Object.keys(envelope).join();
    const closed = /^tool,request_id,outcome,(data(,untrusted_text)?|error)$/.test(shape);
    tell(outcome === expected && closed, `${title}: ${status} ${text}`);
  }
  const { status, text } = await ask(`${REPO}/issues/1347`, {});
  tell(status === 401 && JSON.parse(text).error?.code === 'DENIED', `no token: ${status} ${text}`);
}

/** The base URL is a convention; the network is the control. */
async function upstreamIsOutOfReach() {
  try {
    await fetch(UPSTREAM, { signal: AbortSignal.timeout(3_000) });
    tell(false, 'the upstream answers the agent directly');
  } catch {
    tell(true, 'the upstream cannot be reached past the sidecar');
  }
}

if (await sidecarAnswers()) {
  await calls();
  await upstreamIsOutOfReach();
} else {
  tell(false, 'the sidecar does not answer');
}
console.log(wrong === 0 ? 'OK: every call gave what it should' : `${wrong} calls gave something else`);
process.exitCode = wrong === 0 ? 0 : 1;
