import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** A started process that ends with this one. */
export interface Child {
  readonly pid: number;
  /** Resolves with its exit code, null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
}

/** How long a process may take to end by itself. */
const STOP_MS = 20_000;

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(130));
}

/** Starts a process with its standard output in /dev/null; its errors are shown. */
export function start(command: string, args: readonly string[]): Child {
  return watch(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }));
}

/** Starts a script that tells its port over IPC once it listens. */
export async function startScript(
  script: string,
  args: readonly string[],
): Promise<Child & { readonly port: number }> {
  const process_ = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const child = watch(process_);
  const [message] = await Promise.race([
    once(process_, 'message'),
    child.ended.then((code) => {
      throw new Error(`${script} ended with ${code} before it listened`);
    }),
  ]);
  return { ...child, port: (message as { readonly port: number }).port };
}

function watch(child: ChildProcess): Child {
  running.add(child);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  // Whoever started it waits for something else; a command that is not there shows there.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Runs a program to its end and gives what it printed; undefined where there is none of that name. */
export function output(command: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return error === undefined && status !== null ? stdout + stderr : undefined;
}
