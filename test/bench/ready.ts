import { get } from 'node:http';
import type { Child } from './child.js';

/** Waits until a URL answers, with `status` where one is given. Rejects where the process ends before. */
export async function ready(url: string, child: Child, status?: number): Promise<void> {
  const started = performance.now();
  let ended = false;
  const end = child.ended.finally(() => {
    ended = true;
  });
  end.catch(() => undefined);
  while (!ended) {
    const got = await statusOf(url);
    if (got !== undefined && (status === undefined || got === status)) return;
    // One hundredth of the time so far: exact enough, and the asking does not weigh on what is asked.
    const pause = Math.min(100, Math.max(2, (performance.now() - started) / 100));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`it ended with ${await child.ended} before ${url} answered`);
}

/** Undefined while nobody listens. */
function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', () => resolve(undefined));
  });
}
