import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { output } from './child.js';
import { write } from './workspace.js';

/** What one load of some seconds gave. */
export interface Load {
  readonly requests: number;
  /** How long it went on. */
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of status 400 and above. */
  readonly refused: number;
  /** Connections that failed, and answers that did not come. */
  readonly errors: number;
}

/** Keeps so many connections busy, each with one request at a time, in a process of its own. */
export interface LoadGenerator {
  /** Name and version. */
  readonly name: string;
  run(url: string, connections: number, seconds: number): Promise<Load>;
}

/** wrk where it is installed (it takes little of the processor from what it measures), else autocannon. */
export function loadGenerator(folder: string): LoadGenerator {
  const version = /^wrk \S+/m.exec(output('wrk', ['-v']) ?? '')?.[0];
  return version === undefined ? autocannon() : wrk(version.replace(/^wrk (?:debian\/)?/, 'wrk '), folder);
}

/** wrk calls this once, at the end; the requests themselves run without Lua. Times are in microseconds. */
const REPORT = `done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"us":%d,"p50":%d,"p99":%d,"status":%d,"errors":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.status, e.connect + e.read + e.write + e.timeout))
end
`;

function wrk(name: string, folder: string): LoadGenerator {
  const lua = join(folder, 'report.lua');
  write(lua, REPORT);
  return {
    name,
    async run(url, connections, seconds) {
      // It takes whole seconds only, but ends properly when interrupted.
      const args = ['-t1', `-c${connections}`, '-d3600s', '--timeout', '20s', '-s', lua, url];
      const text = await printed('wrk', args, seconds);
      const found = /^\{.*\}$/m.exec(text)?.[0];
      if (found === undefined) throw new Error(`wrk printed no figures: ${text}`);
      const { requests, us, p50, p99, status, errors } = JSON.parse(found) as Record<
        'requests' | 'us' | 'p50' | 'p99' | 'status' | 'errors',
        number
      >;
      return {
        requests,
        seconds: us / 1e6,
        p50Ms: p50 / 1000,
        p99Ms: p99 / 1000,
        refused: status,
        errors,
      };
    },
  };
}

function autocannon(): LoadGenerator {
  const resolve = createRequire(import.meta.url).resolve;
  const manifest = createRequire(import.meta.url)('autocannon/package.json') as { readonly version: string };
  return {
    name: `autocannon ${manifest.version}`,
    async run(url, connections, seconds) {
      const args = [resolve('autocannon'), '--json', '--no-progress', '-c', String(connections)];
      const text = await printed(process.execPath, [...args, '-d', String(seconds), url]);
      const { requests, duration, latency, non2xx, errors } = JSON.parse(text) as {
        readonly requests: { readonly total: number };
        readonly duration: number;
        readonly latency: { readonly p50: number; readonly p99: number };
        readonly non2xx: number;
        readonly errors: number;
      };
      return {
        requests: requests.total,
        seconds: duration,
        p50Ms: latency.p50,
        p99Ms: latency.p99,
        refused: non2xx,
        errors,
      };
    },
  };
}

/** Standard output of a process; `interruptAfter` seconds it is asked to end. */
function printed(command: string, args: readonly string[], interruptAfter?: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const stop = (): void => void child.kill('SIGKILL');
    process.once('exit', stop);
    const timer =
      interruptAfter === undefined
        ? undefined
        : setTimeout(() => child.kill('SIGINT'), interruptAfter * 1000);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      process.off('exit', stop);
      resolve(text);
    });
  });
}
