import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Exit } from '../../src/cli/exit-codes.js';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';

export interface Outcome {
  readonly exit: Exit;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, its output kept. */
export async function assay(argv: readonly string[], io: Partial<Io> = {}): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const exit = await run(argv, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    env: {},
    columns: undefined,
    color: { out: false, err: false },
    ...io,
  });
  return { exit, out: out.join(''), err: err.join('') };
}

export interface Running {
  readonly child: ChildProcess;
  /** What it has written to standard output so far. */
  out(): string;
  err(): string;
  /** Resolves once standard output holds `text`; rejects where it ends first. */
  shows(text: string): Promise<void>;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** Starts the program itself. */
export function start(argv: readonly string[], cwd: string, env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const one of waiting) one();
  };
  child.stdout.on('data', (chunk) => {
    out += chunk;
    look();
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return {
    child,
    ended,
    out: () => out,
    err: () => err,
    shows: (text) =>
      new Promise((resolve, reject) => {
        const one = (): void => {
          if (!out.includes(text)) return;
          waiting.delete(one);
          resolve();
        };
        waiting.add(one);
        one();
        ended.then(() => reject(new Error(`ended without '${text}'\n${out}\n${err}`)));
      }),
  };
}
