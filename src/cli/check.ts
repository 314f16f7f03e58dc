import type { Settings } from '../config/index.js';
import { CONFIG_OPTION, type Command } from './command.js';
import type { ContractProof } from './proof.js';
import { painter } from './style.js';
import { table } from './table.js';

export const check: Command = {
  name: 'check',
  summary: 'load the configuration and every contract, and run their fixtures',
  description: [
    'Does what serve does before it listens: prints every problem of the configuration and of the contracts at once, each with file, line, column and what to write instead; then runs every fixture. Nothing is sent anywhere.',
    'For each contract it prints the version, the start of its digest, how many fixtures passed, and the largest answer (in bytes of JSON) that an agent can get from it.',
  ],
  options: [CONFIG_OPTION],
  exits: ['CONFIG', 'FIXTURES'],
  async run(args, io) {
    const [{ load }, { proveOrReport }] = await Promise.all([import('./load.js'), import('./proof.js')]);
    const loaded = await load(args, io);
    if ('exit' in loaded) return loaded.exit;
    const { settings, file } = loaded;
    const proven = await proveOrReport(settings, io);
    if ('exit' in proven) return proven.exit;
    const { proofs } = proven;
    const paint = painter(io.color.out);
    io.out(`${file}: ${count(settings.routes.length, 'route')}, digest ${settings.digest.slice(0, 12)}\n\n`);
    io.out(summary(settings, proofs));
    const passed = proofs.reduce((sum, proof) => sum + proof.passed, 0);
    io.out(
      `\n${paint('green', 'ok')}: ${count(proofs.length, 'contract')}, ${count(passed, 'fixture')} passed\n`,
    );
    return 'OK';
  },
};

function summary(settings: Settings, proofs: readonly ContractProof[]): string {
  const contracts = new Map(settings.routes.map(({ contract }) => [contract.name, contract]));
  const rows = proofs.map(({ name, passed }) => {
    const contract = contracts.get(name);
    return [
      name,
      contract?.version ?? '',
      contract?.digest.slice(0, 12) ?? '',
      String(passed),
      contract === undefined ? '' : `${contract.result.maxBytes.toLocaleString('en-US')} bytes`,
    ];
  });
  return table(['contract', 'version', 'digest', 'fixtures', 'largest answer'], rows, new Set([3, 4]));
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
