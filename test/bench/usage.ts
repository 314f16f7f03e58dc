import { readdirSync, readFileSync } from 'node:fs';

/** What a process and its children have used so far. */
export interface Usage {
  /** User and system time of every thread, in microseconds; the kernel tells it in steps of 10 ms. */
  readonly cpuUs: number;
  /** Resident memory now, in bytes. */
  readonly rssBytes: number;
  /** The most it has been, in bytes. */
  readonly peakBytes: number;
}

/** Length of a clock tick of /proc in microseconds: USER_HZ is 100 wherever Node runs (man 5 proc). */
const TICK_US = 10_000;

/** Undefined where there is no /proc. */
export function usageOf(pid: number): Usage | undefined {
  let cpuUs = 0;
  let rssBytes = 0;
  let peakBytes = 0;
  try {
    for (const member of family(pid)) {
      // The name in parentheses may hold blanks; utime and stime are fields 14 and 15.
      const fields = readFileSync(`/proc/${member}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      cpuUs += (Number(fields[11]) + Number(fields[12])) * TICK_US;
      const status = readFileSync(`/proc/${member}/status`, 'utf8');
      rssBytes += kibibytes(status, 'VmRSS');
      peakBytes += kibibytes(status, 'VmHWM');
    }
  } catch {
    return undefined;
  }
  return { cpuUs, rssBytes, peakBytes };
}

function kibibytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1_024;
}

/** The process and its children: nginx works in a child. */
function family(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children];
}
