/** What is read of a `.cpuprofile` (Chrome DevTools protocol, Profiler.Profile). Times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly children?: readonly number[];
    readonly callFrame: CallFrame;
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

export interface SelfTime {
  /** `name file:line`, of the compiled files. */
  readonly what: string;
  /** Folder of ours (`src/json`), package, `node`, or a state of the engine such as `(garbage collector)`. */
  readonly where: string;
  readonly us: number;
}

/** A longer time between two samples is one in which the process had no processor: nobody's self time. */
const LONGEST_US = 1_000;

/** Self time by function, most first; idle time is left out. */
export function selfTimes(profile: CpuProfile): SelfTime[] {
  const times = new Times();
  const own = timeByNode(profile);
  for (const { id, callFrame } of profile.nodes) times.add(callFrame, own.get(id) ?? 0);
  return times.sorted();
}

/**
 * Time by function with all that it calls, most first; of what stands in `src/`, and without what runs after an await.
 */
export function totalTimes(profile: CpuProfile): SelfTime[] {
  const times = new Times();
  const own = timeByNode(profile);
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const visit = (id: number, above: ReadonlySet<string>): number => {
    const node = byId.get(id);
    if (node === undefined) return 0;
    const { callFrame, children = [] } = node;
    const name = what(callFrame);
    // A function that calls itself counts once.
    const isNew = !above.has(name);
    const around = isNew ? new Set([...above, name]) : above;
    let us = own.get(id) ?? 0;
    for (const child of children) us += visit(child, around);
    if (isNew && shortFile(callFrame.url).startsWith('src/')) times.add(callFrame, us);
    return us;
  };
  const [root] = profile.nodes;
  if (root !== undefined) visit(root.id, new Set());
  return times.sorted();
}

class Times {
  readonly #found = new Map<string, SelfTime>();

  add(frame: CallFrame, us: number): void {
    const name = what(frame);
    const before = this.#found.get(name)?.us ?? 0;
    this.#found.set(name, {
      what: name,
      where: place(shortFile(frame.url), frame.functionName),
      us: before + us,
    });
  }

  sorted(): SelfTime[] {
    return [...this.#found.values()].filter(({ us }) => us > 0).sort((a, b) => b.us - a.us);
  }
}

function timeByNode({ nodes, samples, timeDeltas }: CpuProfile): Map<number, number> {
  const idle = new Set(nodes.filter((node) => node.callFrame.functionName === '(idle)').map(({ id }) => id));
  const own = new Map<number, number>();
  for (const [index, id] of samples.entries()) {
    if (idle.has(id)) continue;
    own.set(id, (own.get(id) ?? 0) + Math.min(timeDeltas[index] ?? 0, LONGEST_US));
  }
  return own;
}

function what({ functionName, url, lineNumber }: CallFrame): string {
  const file = shortFile(url);
  const name = functionName || '(anonymous)';
  return file === '' ? name : `${name} ${file}:${lineNumber + 1}`;
}

/** Sums by place, most first. */
export function byPlace(times: readonly SelfTime[]): { readonly where: string; readonly us: number }[] {
  const sums = new Map<string, number>();
  for (const { where, us } of times) sums.set(where, (sums.get(where) ?? 0) + us);
  return [...sums].map(([where, us]) => ({ where, us })).sort((a, b) => b.us - a.us);
}

/** `src/json/scanner.js`, `undici/lib/core/request.js`, `node:net`; empty for what stands in no file. */
function shortFile(url: string): string {
  const [, inPackage] = /^.*\/node_modules\/(.+)$/.exec(url) ?? [];
  const [, ours] = /^.*\/(src\/.+)$/.exec(url) ?? [];
  return inPackage ?? ours ?? url;
}

function place(file: string, name: string): string {
  if (file === '') return name.startsWith('(') ? name : 'native';
  if (file.startsWith('node:')) return 'node';
  if (file.startsWith('wasm:')) return 'wasm';
  const parts = file.split('/');
  return parts.slice(0, file.startsWith('src/') || file.startsWith('@') ? 2 : 1).join('/');
}
