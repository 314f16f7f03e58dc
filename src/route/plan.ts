import type { Contract } from '../contract/index.js';
import type { FailureProfile } from '../envelope/index.js';
import type { Check } from '../evidence/index.js';
import type { AgentCode } from '../fault/index.js';
import type { ScanLimits } from '../json/index.js';
import type { Method, RetryPolicy, TransportLimits, UpstreamPlan } from '../upstream/index.js';

export interface RouteLimits extends TransportLimits {
  readonly scan: ScanLimits;
  readonly requestBytes: number;
  /** Bytes of the agent's request target, path and query as sent. */
  readonly pathBytes: number;
}

/** One segment of a path template: literal text as it stands on the wire, or a parameter. */
export type PathSegment = { readonly literal: string } | { readonly param: string };

/** Everything one route needs to serve a call; frozen, made by the configuration floor. */
export interface RoutePlan {
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
  readonly limits: RouteLimits;
  readonly retry: RetryPolicy;
  readonly answer: 'envelope' | 'data';
  readonly profile: FailureProfile;
  /** HTTP statuses that replace the defaults. */
  readonly statuses: Readonly<Partial<Record<AgentCode, number>>>;
}
