/** Bytes that are given to the program; `destroy` lets go of them. */
export interface Input extends AsyncIterable<Uint8Array> {
  destroy?(): unknown;
}

/** What a command may touch of the terminal: nothing else writes. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Standard input; undefined where it is a terminal. */
  readonly input?: Input | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width of the terminal that `out` goes to; undefined where it is none. */
  readonly columns: number | undefined;
  /** Whether `out` and `err` take colour. */
  readonly color: { readonly out: boolean; readonly err: boolean };
}

type TerminalStream = NodeJS.WriteStream;

/** The process's own streams. Colour only on a terminal, and never with NO_COLOR (https://no-color.org). */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  const plain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  const takesColor = (stream: TerminalStream): boolean => stream.isTTY === true && !plain;
  // The reader of a pipe may go away early (`assay explain | head`); that is no error of ours.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    // Opened when it is first asked for: a command that reads nothing must not wait for it.
    get input() {
      return process.stdin.isTTY === true ? undefined : process.stdin;
    },
    env,
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    color: { out: takesColor(stdout), err: takesColor(stderr) },
  };
}
