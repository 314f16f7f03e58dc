import type { AgentCode } from '../fault/index.js';
import type { ToolAnswer } from '../tooling/index.js';
import type { Command } from './command.js';
import type { Exit } from './exit-codes.js';

export const answer: Command = {
  name: 'answer',
  operands: 'TOOL[@MAJOR]',
  maxOperands: 1,
  summary: 'run bytes from standard input through a contract',
  description: [
    'For answers that did not come over HTTP: the output of a command, of an SSH wrapper, of a cache. The bytes go through the same stages as the answer of an upstream: limits, strict scan, schema, checks, selection, result schema. Nothing is sent anywhere. Exactly the declared output is taken: a banner before or after it refuses it.',
    'The bytes stand for an answer with the status of the first alternative that has a result, with the media type of that status, and without other headers. A check or field that reads a header refuses them unless --header gives it.',
    'Standard output gets the envelope, and nothing else; standard error says why an answer was refused, in words of ours.',
  ],
  options: [
    {
      name: 'param',
      value: 'NAME=VALUE',
      repeatable: true,
      what: 'a path parameter of the call; once for each',
    },
    {
      name: 'query',
      value: 'NAME=VALUE',
      repeatable: true,
      what: 'a query parameter of the call; may be repeated',
    },
    {
      name: 'request-header',
      value: 'NAME:VALUE',
      repeatable: true,
      what: 'a declared header of the call; may be repeated',
    },
    { name: 'body', value: 'FILE', what: 'the JSON body of the call' },
    { name: 'status', value: 'STATUS', what: 'the status that the bytes stand for' },
    { name: 'media-type', value: 'TYPE', what: 'the media type that the bytes have' },
    {
      name: 'header',
      value: 'NAME:VALUE',
      repeatable: true,
      what: 'a header that the bytes stand for; may be repeated',
    },
    { name: 'total', value: 'DURATION', what: 'how long the bytes may take; default limits.total, 10s' },
    { name: 'contracts', value: 'DIR', what: 'where the contracts are; default schemas' },
    {
      name: 'config',
      short: 'c',
      value: 'FILE',
      what: 'take contract, limits and keys of the tool from the route of this configuration, and keep a record where it says',
    },
    {
      name: 'audit',
      value: 'FILE',
      what: 'keep a record in this audit file, which no other process may have open',
    },
    {
      name: 'verbose',
      what: 'on standard error also where in the answer: names in it are written by who wrote the bytes',
    },
  ],
  exits: ['CONFIG', 'RUNTIME', 'REFUSED', 'NEGATIVE', 'BAD_CALL'],
  async run(args, io) {
    const { readOptions } = await import('./answer-options.js');
    const options = readOptions(args);
    if (typeof options === 'string') {
      io.err(`assay answer: ${options}\n  = assay help answer tells its options\n`);
      return 'USAGE';
    }
    const { input } = io;
    if (input === undefined) {
      io.err(
        'assay answer: standard input is a terminal\n  = give it the bytes: COMMAND | assay answer TOOL\n',
      );
      return 'USAGE';
    }
    const { findTool } = await import('./answer-tool.js');
    const found = await findTool(args, options, io);
    if ('exit' in found) return found.exit;
    try {
      const given = await found.tool.answer(options.call, { ...options.given, bytes: input });
      if ('problem' in given) {
        io.err(`assay answer: ${given.problem}\n  = assay help answer tells its options\n`);
        return 'USAGE';
      }
      io.out(`${given.envelope}\n`);
      if (given.outcome !== 'success') {
        const { explanation } = await import('./answer-refusal.js');
        io.err(explanation(given, found.definition, options, args.flags.has('verbose')));
      }
      return exitOf(given);
    } finally {
      // Whoever writes the bytes may go on for ever.
      input.destroy?.();
      await found.close();
    }
  },
};

const EXITS: Partial<Record<AgentCode, Exit>> = {
  INVALID_REQUEST: 'BAD_CALL',
  INVALID_RESPONSE: 'REFUSED',
  OUTCOME_UNKNOWN: 'REFUSED',
  INTERNAL: 'RUNTIME',
};

function exitOf({ outcome, record }: ToolAnswer): Exit {
  if (outcome === 'success') return 'OK';
  // The bytes did not end in time; the upstream said nothing of the kind.
  if (record.operator_code === 'UPS_TOTAL_TIMEOUT') return 'RUNTIME';
  return EXITS[outcome] ?? 'NEGATIVE';
}
