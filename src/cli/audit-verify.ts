import type { ChainPoint } from '../record/index.js';
import { CONFIG_OPTION, type Command } from './command.js';

export const auditVerify: Command = {
  name: 'audit verify',
  operands: '[FILE]',
  maxOperands: 1,
  summary: 'prove that no audit record was changed, dropped or reordered',
  description: [
    'Reads the hash chain of the audit file (audit.file of the configuration, or FILE) and of the rotated files beside it, and names the first record that is not the one that was written. It prints the head of the chain: kept elsewhere and given back with --anchor, it also proves that the end was not cut off or the whole chain written anew.',
  ],
  options: [
    CONFIG_OPTION,
    { name: 'anchor', value: 'SEQ:SHA256', what: 'a head that was noted earlier; the chain must contain it' },
  ],
  exits: ['CONFIG', 'RUNTIME', 'FAILED'],
  async run(args, io) {
    const anchor = args.values.anchor === undefined ? undefined : parseAnchor(args.values.anchor);
    if (anchor === null) {
      io.err(`assay audit verify: --anchor takes SEQ:SHA256, as the line 'head' shows them\n`);
      return 'USAGE';
    }
    let [file] = args.operands;
    if (file === undefined) {
      const { places } = await import('./load.js');
      const found = await places(args, io);
      if ('exit' in found) return found.exit;
      file = found.auditFile;
      if (file === undefined) {
        io.err('assay audit verify: the configuration keeps no audit file\n  = give the file as argument\n');
        return 'CONFIG';
      }
    }
    const { formatVerdict, verifyAudit } = await import('../record/index.js');
    const verdict = await verifyAudit(file, anchor === undefined ? {} : { anchor });
    if (verdict.ok) {
      io.out(formatVerdict(verdict));
      return 'OK';
    }
    io.err(formatVerdict(verdict));
    return verdict.reason === 'unreadable' ? 'RUNTIME' : 'FAILED';
  },
};

function parseAnchor(text: string): ChainPoint | null {
  const [, seq, sha256] = /^(\d{1,15})[: ]([0-9a-f]{64})$/.exec(text) ?? [];
  return seq === undefined || sha256 === undefined ? null : { seq: Number(seq), sha256 };
}
