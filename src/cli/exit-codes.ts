/** How `assay` ends, for scripts. A command uses the ones that its help names. */
export const EXIT = {
  OK: { code: 0, meaning: 'It did what was asked.' },
  USAGE: {
    code: 1,
    meaning: 'The command line is wrong: an unknown command, option or code.',
  },
  NOT_READY: { code: 1, meaning: 'The sidecar is not ready, or does not answer.' },
  CONFIG: {
    code: 2,
    meaning: 'The configuration, a contract or a file of fixtures has problems; all of them are printed.',
  },
  FIXTURES: {
    code: 3,
    meaning:
      'A contract does not do to its fixtures what they claim, or lacks one that accepts or one that refuses.',
  },
  RUNTIME: {
    code: 4,
    meaning: 'It could not run: a port is taken, a file cannot be written, a deadline passed while draining.',
  },
  FAILED: {
    code: 5,
    meaning:
      'What was looked at is not as it should be: a broken record chain, a demo call with another outcome.',
  },
  REFUSED: {
    code: 6,
    meaning: 'The answer was refused: INVALID_RESPONSE or OUTCOME_UNKNOWN.',
  },
  NEGATIVE: {
    code: 7,
    meaning: 'The answer is sound and says that the call failed: NOT_FOUND, DENIED and the like.',
  },
  BAD_CALL: {
    code: 8,
    meaning: 'The call breaks what the contract asks of a request: INVALID_REQUEST.',
  },
  INTERRUPTED: { code: 130, meaning: 'A second SIGINT or SIGTERM ended it at once.' },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type Exit = keyof typeof EXIT;
