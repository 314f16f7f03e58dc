import type { Contract } from '../contract/index.js';
import type { FailureProfile } from '../envelope/index.js';
import type { AnswerVerifier, Check } from '../evidence/index.js';
import type { AgentCode } from '../fault/index.js';
import type { ScanLimits } from '../json/index.js';
import type { Method, RetryPolicy, TransportLimits, UpstreamPlan } from '../upstream/index.js';

export interface RouteLimits extends TransportLimits {
  readonly scan: ScanLimits;
  readonly requestBytes: number;
  /** Bytes of the agent's request target, path and query as sent. */
  readonly pathBytes: number;
}

/** What one upstream's clients look for in an answer, beside the result: constants of the configuration, all of it. */
export interface AnswerShape {
  readonly profile: FailureProfile;
  /** HTTP statuses that replace the defaults. */
  readonly statuses: Readonly<Partial<Record<AgentCode, number>>>;
  /** Headers of every answer, success or not. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** The part of the agent's paths that is one upstream's, for calls there that no route takes. */
export interface Mount extends AnswerShape {
  /** `/github`, or empty for every path. */
  readonly path: string;
}

/** One segment of a path template: literal text as it stands on the wire, or a parameter. */
export type PathSegment = { readonly literal: string } | { readonly param: string };

/** Everything one route needs to serve a call; frozen, made by the configuration floor. */
export interface RoutePlan extends AnswerShape {
  readonly tool: string;
  readonly method: Method;
  /** The template as written, without mount: `/repos/{owner}/{repo}`. */
  readonly path: string;
  readonly segments: readonly PathSegment[];
  /** The upstream's mount, `/github`, or empty. */
  readonly mount: string;
  readonly upstream: UpstreamPlan;
  readonly contract: Contract;
  /** Per alternative (same index), its checks in order. */
  readonly checks: readonly (readonly Check[])[];
  /** What every answer has to be signed with; absent where the contract demands nothing. */
  readonly signatures?: AnswerVerifier;
  readonly limits: RouteLimits;
  readonly retry: RetryPolicy;
  /** Whether a call changes nothing at the upstream. Default: what the method says (RFC 9110 section 9.2.1). */
  readonly readOnly?: boolean;
  readonly answer: 'envelope' | 'data';
}
