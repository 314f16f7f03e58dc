/** What a command may touch of the terminal: nothing else writes. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
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
    env,
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    color: { out: takesColor(stdout), err: takesColor(stderr) },
  };
}
