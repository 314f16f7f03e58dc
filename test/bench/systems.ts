import { BODIES } from './bodies.js';
import { type Child, start, startScript } from './child.js';
import { nginxArguments, nginxVersion } from './nginx.js';
import { CLI, scriptPath } from './paths.js';
import { ready } from './ready.js';
import { freePort, writeConfig, writeContract } from './workspace.js';

/** What is measured, in the order of the tables. */
export const SYSTEMS = ['direct', 'assay', 'unsafe', 'http-proxy', 'nginx'] as const;
export type SystemName = (typeof SYSTEMS)[number];

/** Those that judge an answer, and so can refuse it. */
export const JUDGES: readonly SystemName[] = ['assay', 'unsafe'];

export interface RunningSystem {
  readonly name: SystemName;
  /** What comes before the path of an answer. */
  readonly base: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface SystemsOptions {
  /** For configurations and the audit file. */
  readonly folder: string;
  readonly names: readonly SystemName[];
  /** Options for the Node of the sidecar. */
  readonly nodeOptions?: readonly string[];
}

/** The systems that can be had on this machine. */
export function availableSystems(): SystemName[] {
  return SYSTEMS.filter((name) => name !== 'nginx' || nginxVersion() !== undefined);
}

/** Starts one upstream and every system in front of it, each in its own process. */
export async function startSystems(options: SystemsOptions): Promise<RunningSystem[]> {
  const running: RunningSystem[] = [];
  const { folder, names, nodeOptions = [] } = options;
  try {
    const upstream = await startScript(scriptPath('upstream'), []);
    const origin = `http://127.0.0.1:${upstream.port}`;
    running.push({ name: 'direct', base: origin, pid: upstream.pid, stop: () => upstream.stop() });
    for (const name of names) {
      if (name !== 'direct') running.push({ name, ...(await startOne(name, folder, origin, nodeOptions)) });
    }
    return running;
  } catch (error) {
    await stopSystems(running);
    throw error;
  }
}

export async function stopSystems(systems: readonly RunningSystem[]): Promise<void> {
  // The upstream was started first and is needed longest.
  for (const system of [...systems].reverse()) await system.stop();
}

type Started = Omit<RunningSystem, 'name'>;

async function startOne(
  name: Exclude<SystemName, 'direct'>,
  folder: string,
  upstream: string,
  nodeOptions: readonly string[],
): Promise<Started> {
  switch (name) {
    case 'assay':
      return startSidecar({ folder, upstream, nodeOptions });
    case 'unsafe':
      return behind(await startScript(scriptPath('unsafe'), [upstream]));
    case 'http-proxy':
      return behind(await startScript(scriptPath('pass-through'), [upstream]));
    case 'nginx': {
      const port = await freePort();
      const child = start('nginx', nginxArguments(folder, port, upstream));
      await ready(`http://127.0.0.1:${port}/`, child);
      return behind({ ...child, port });
    }
  }
}

export interface SidecarOptions {
  readonly folder: string;
  readonly upstream: string;
  /** Options for its Node. */
  readonly nodeOptions?: readonly string[];
  /** Limits other than those of config/assay.yaml. */
  readonly limits?: Readonly<Record<string, string | number>>;
}

/** Starts the command line with a route and a contract for each body, and waits until it is ready. */
export async function startSidecar(options: SidecarOptions): Promise<Started> {
  const { folder, upstream, nodeOptions = [], limits = {} } = options;
  const [listen, admin] = [await freePort(), await freePort()];
  const routes = BODIES.map(({ tool }) => ({ tool, path: `/${tool}/{ending}` }));
  for (const body of BODIES) writeContract(folder, body);
  const config = writeConfig({ folder, upstream, listen, admin, routes, limits });
  const child = start(process.execPath, [...nodeOptions, CLI, 'serve', '--config', config]);
  await ready(`http://127.0.0.1:${admin}/readyz`, child, 200);
  return { ...behind({ ...child, port: listen }), base: `http://127.0.0.1:${listen}/bench` };
}

function behind({ port, pid, stop }: Child & { readonly port: number }): Started {
  return { base: `http://127.0.0.1:${port}`, pid, stop };
}
