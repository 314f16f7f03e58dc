import type { Command } from './command.js';

export const demo: Command = {
  name: 'demo',
  summary: 'a sample upstream and the real sidecar: what was sent, what the agent got',
  description: [
    'Starts a sample upstream on a free loopback port and the real sidecar in front of it (config/demo.yaml), makes one call for each kind of sound and unsound answer through the sidecar over HTTP, and prints side by side what the upstream sent and what the agent got, with the operator code. Then it stays up and prints curl lines to try.',
  ],
  options: [{ name: 'once', what: 'exit after the calls; 0 only if each gave exactly what it should' }],
  exits: ['CONFIG', 'FIXTURES', 'RUNTIME', 'FAILED', 'INTERRUPTED'],
  async run(args, io) {
    const { runDemo } = await import('./demo-run.js');
    return runDemo(args, io);
  },
};
