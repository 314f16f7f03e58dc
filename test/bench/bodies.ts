import type { ContractDefinition, JsonSchema } from '../../src/contract/index.js';
import { jsonBytes, pullRequest, repositoryList } from './documents.js';

/** How the upstream's answer ends: as it should, with garbage for its last byte, or with garbage near its start. */
export const ENDINGS = ['accepted', 'late', 'early'] as const;
export type Ending = (typeof ENDINGS)[number];

/** One answer that an upstream gives, what is wanted of it, and the same written by hand. */
export interface BenchBody {
  /** Tool, path segment and contract. */
  readonly tool: string;
  /** What the tables call it. */
  readonly label: string;
  readonly bytes: Buffer;
  readonly schema: JsonSchema;
  readonly select: NonNullable<ContractDefinition['responses'][number]['select']>;
  readonly result: JsonSchema;
  /** What somebody who trusts the answer would write after validation. */
  pick(answer: unknown): unknown;
}

/** Repositories of a list that are given. */
const TAKEN = 10;

const ID = { type: 'integer', minimum: 1, maximum: 9007199254740991 } as const;

export const SMALL: BenchBody = {
  tool: 'review',
  label: '109 B',
  bytes: jsonBytes({
    id: 80,
    change_id: 'CR-1347',
    decision: 'approved',
    reviewed_by: 'octo',
    submitted: '2026-01-15T09:30:00Z',
  }),
  schema: closedReview(),
  select: {
    id: '/id',
    change_id: '/change_id',
    decision: '/decision',
    reviewed_by: '/reviewed_by',
    submitted: '/submitted',
  },
  result: closedReview(),
  pick: (answer) => {
    const { id, change_id, decision, reviewed_by, submitted } = answer as Review;
    return { id, change_id, decision, reviewed_by, submitted };
  },
};

interface Review {
  readonly id: number;
  readonly change_id: string;
  readonly decision: string;
  readonly reviewed_by: string;
  readonly submitted: string;
}

function closedReview(): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'change_id', 'decision', 'reviewed_by', 'submitted'],
    properties: {
      id: ID,
      change_id: { type: 'string', pattern: '^CR-[0-9]{1,10}$' },
      decision: { enum: ['approved', 'rejected', 'pending'] },
      reviewed_by: { type: 'string', pattern: '^[A-Za-z0-9-]{1,39}$' },
      submitted: { type: 'string', format: 'date-time', maxLength: 40 },
    },
  };
}

export const PULL: BenchBody = {
  tool: 'pull',
  label: '21 KB',
  bytes: pullRequest(21_000),
  // Open: of some three hundred members five are named.
  schema: {
    type: 'object',
    required: ['number', 'state', 'merged', 'user', 'head'],
    properties: {
      number: ID,
      state: { enum: ['open', 'closed'] },
      merged: { type: 'boolean' },
      user: login(),
      head: {
        type: 'object',
        required: ['sha'],
        properties: { sha: { type: 'string', pattern: '^[0-9a-f]{40}$' } },
      },
    },
  },
  select: { number: '/number', state: '/state', merged: '/merged', author: '/user/login', head: '/head/sha' },
  result: {
    type: 'object',
    additionalProperties: false,
    required: ['number', 'state', 'merged', 'author', 'head'],
    properties: {
      number: ID,
      state: { enum: ['open', 'closed'] },
      merged: { type: 'boolean' },
      author: { type: 'string', pattern: '^[A-Za-z0-9-]{1,39}$' },
      head: { type: 'string', pattern: '^[0-9a-f]{40}$' },
    },
  },
  pick: (answer) => {
    const { number, state, merged, user, head } = answer as PullRequest;
    return { number, state, merged, author: user.login, head: head.sha };
  },
};

interface PullRequest {
  readonly number: number;
  readonly state: string;
  readonly merged: boolean;
  readonly user: { readonly login: string };
  readonly head: { readonly sha: string };
}

export const LIST_256K: BenchBody = repositories('repos_256k', '256 KB', 256_000);
export const LIST_1M: BenchBody = repositories('repos_1m', '1 MB', 1_000_000);

export const BODIES: readonly BenchBody[] = [SMALL, PULL, LIST_256K, LIST_1M];

/** Of every repository five members are validated; of the first ten they are given. */
function repositories(tool: string, label: string, bytes: number): BenchBody {
  const item = {
    type: 'object',
    required: ['name', 'full_name', 'private', 'archived', 'stargazers_count'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      full_name: { type: 'string', minLength: 3, maxLength: 200 },
      private: { type: 'boolean' },
      archived: { type: 'boolean' },
      stargazers_count: { type: 'integer', minimum: 0, maximum: 100_000_000 },
    },
  };
  return {
    tool,
    label,
    bytes: repositoryList(bytes),
    schema: { type: 'array', maxItems: 1_000, items: item },
    select: {
      repositories: {
        each: '',
        take: TAKEN,
        total: 'total',
        select: {
          name: '/name',
          full_name: '/full_name',
          private: '/private',
          archived: '/archived',
          stars: '/stargazers_count',
        },
      },
    },
    result: {
      type: 'object',
      additionalProperties: false,
      required: ['repositories', 'total'],
      properties: {
        repositories: {
          type: 'array',
          maxItems: TAKEN,
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name', 'full_name', 'private', 'archived', 'stars'],
            properties: {
              name: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,100}$' },
              full_name: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}/[A-Za-z0-9._-]{1,100}$' },
              private: { type: 'boolean' },
              archived: { type: 'boolean' },
              stars: { type: 'integer', minimum: 0, maximum: 100_000_000 },
            },
          },
        },
        total: { type: 'integer', minimum: 0, maximum: 1_000 },
      },
    },
    pick: (answer) => {
      const all = answer as readonly Repository[];
      const repositories = all
        .slice(0, TAKEN)
        .map(({ name, full_name, private: hidden, archived, stargazers_count }) => ({
          name,
          full_name,
          private: hidden,
          archived,
          stars: stargazers_count,
        }));
      return { repositories, total: all.length };
    },
  };
}

interface Repository {
  readonly name: string;
  readonly full_name: string;
  readonly private: boolean;
  readonly archived: boolean;
  readonly stargazers_count: number;
}

function login(): JsonSchema {
  return {
    type: 'object',
    required: ['login'],
    properties: { login: { type: 'string', pattern: '^[A-Za-z0-9-]{1,39}$' } },
  };
}

/** The bytes as the upstream sends them. */
export function bodyBytes({ bytes }: BenchBody, ending: Ending): Buffer {
  if (ending === 'accepted') return bytes;
  const broken = Buffer.from(bytes);
  broken[ending === 'late' ? broken.length - 1 : 1] = 0x78;
  return broken;
}
