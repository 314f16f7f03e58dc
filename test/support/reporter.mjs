import { Transform } from 'node:stream';
import { Parser } from 'tap-parser';

/**
 * Reporter of `tap run`: one line a test file, every failure with its place and difference, and a closing line
 * `N passed, N failed[, N skipped]`. What is counted are the test points that hold no others: an assertion, or a
 * subtest without any. It is stricter than tap in one thing: a file that tests nothing has failed.
 */
export default class FileReporter extends Transform {
  #root = new Parser();
  #total = { passed: 0, failed: 0, skipped: 0 };
  #lines = [];

  constructor() {
    super();
    this.#watchFiles();
  }

  _transform(chunk, _encoding, done) {
    this.#root.write(chunk);
    this.#flushLines();
    done();
  }

  _flush(done) {
    this.#root.end();
    const { passed, failed, skipped } = this.#total;
    // tap exits 0 for a file without tests, so the exit code is set here as well.
    if (failed > 0 || passed === 0) process.exitCode = 1;
    this.#lines.push(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    this.#flushLines();
    done();
  }

  #flushLines() {
    for (const line of this.#lines.splice(0)) this.push(`${line}\n`);
  }

  #watchFiles() {
    let file;
    this.#root.on('child', (parser) => {
      file = tallyOf(parser, []);
    });
    this.#root.on('assert', (point) => {
      const tally = file ?? emptyTally();
      file = undefined;
      close(tally, point, []);
      this.#report(point, tally);
    });
    this.#root.on('bailout', (reason) => {
      this.#total.failed += 1;
      this.#lines.push(`BAIL OUT ${reason}`);
    });
  }

  #report(point, tally) {
    for (const key of ['passed', 'failed', 'skipped']) this.#total[key] += tally[key];
    const word = tally.failed > 0 ? 'FAIL' : tally.passed > 0 ? 'ok  ' : 'skip';
    const parts = [`${tally.passed} passed`];
    if (tally.failed > 0) parts.push(`${tally.failed} failed`);
    if (tally.skipped > 0) parts.push(`${tally.skipped} skipped`);
    const time = point.time ? ` (${(point.time / 1000).toFixed(1)} s)` : '';
    this.#lines.push(`${word} ${sourceName(point.name)}: ${parts.join(', ')}${time}`);
    for (const { path, reason } of tally.skips)
      this.#lines.push(`     skipped: ${[...path, reason].join(' > ')}`);
    for (const failure of tally.failures) this.#lines.push(...describe(failure));
  }
}

/** build/test/json/x.test.js -> test/json/x.test.ts: the file to open. */
function sourceName(name) {
  return name.replace(/^build\/(test\/.*)\.js$/, '$1.ts');
}

function emptyTally() {
  return { passed: 0, failed: 0, skipped: 0, failures: [], skips: [] };
}

/** Counts the leaves under a parser as they come. */
function tallyOf(parser, path) {
  const tally = emptyTally();
  let child;
  parser.on('child', (sub) => {
    child = { tally: tallyOf(sub, [...path, sub.name]), path: [...path, sub.name] };
  });
  parser.on('assert', (point) => {
    if (child === undefined) {
      count(tally, point, path);
      return;
    }
    const { tally: inner, path: innerPath } = child;
    child = undefined;
    if (inner.passed + inner.failed + inner.skipped === 0) count(tally, point, path);
    else merge(tally, close(inner, point, innerPath));
  });
  return tally;
}

function count(tally, point, path) {
  if (point.skip || point.todo) {
    const reason = [point.skip, point.todo].find((text) => typeof text === 'string' && text !== '');
    tally.skipped += 1;
    tally.skips.push({ path: [...path, point.name], reason: reason ?? 'no reason given' });
  } else if (point.ok) {
    tally.passed += 1;
  } else {
    tally.failed += 1;
    tally.failures.push({ path: [...path, point.name], diag: point.diag });
  }
}

/** Takes the test point that stands for a finished group: it can fail although every point in it passed. */
function close(tally, point, path) {
  if (!point.ok && !point.todo && tally.failed === 0) {
    tally.failed += 1;
    tally.failures.push({ path: [...path, ending(point.diag)], diag: point.diag });
  }
  if (tally.passed + tally.failed + tally.skipped > 0) return tally;
  if (point.skip && point.skip !== true && !point.skip.startsWith('no tests found'))
    count(tally, point, path);
  else {
    tally.failed += 1;
    tally.failures.push({ path: [...path, 'nothing was tested'], diag: undefined });
  }
  return tally;
}

/** Why a file failed as a whole: how its process ended. */
function ending(diag) {
  if (diag?.signal) return `ended by ${diag.signal}`;
  if (diag?.exitCode) return `exited with ${diag.exitCode}`;
  return 'ended before its plan was complete';
}

function merge(into, from) {
  into.passed += from.passed;
  into.failed += from.failed;
  into.skipped += from.skipped;
  into.failures.push(...from.failures);
  into.skips.push(...from.skips);
}

/** A failure as a person reads it: name, place, then what differs. */
function describe({ path, diag }) {
  const out = ['', `  not ok: ${path.join(' > ')}`];
  const { at, diff, found, wanted, doNotWant, stack, expired, signal } = diag ?? {};
  if (at?.fileName) out.push(`    at ${at.fileName}:${at.lineNumber}:${at.columnNumber}`);
  if (expired) out.push(`    timed out${signal ? ` (${signal})` : ''}: ${expired}`);
  if (typeof diff === 'string') out.push(...indent(diff));
  else if (diag && ('found' in diag || 'wanted' in diag || 'doNotWant' in diag)) {
    if ('wanted' in diag) out.push(...indent(`wanted: ${show(wanted)}`));
    if ('doNotWant' in diag) out.push(...indent(`unwanted: ${show(doNotWant)}`));
    out.push(...indent(`found:  ${show(found)}`));
  }
  if (typeof stack === 'string') out.push(...indent(stack));
  out.push('');
  return out;
}

function show(value) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}

function indent(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`);
}
