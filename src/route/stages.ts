import type {
  Alternative,
  CallContext,
  Selection,
  SelectOutcome,
  StatusGroup,
  TypedRequest,
} from '../contract/index.js';
import type { Answer, Coding, UpstreamRequest } from '../upstream/index.js';
import type { RoutePlan } from './plan.js';

/**
 * What each stage hands to the next. The `protected` members make the types nominal: a stage can only be given what
 * the stage before it made, so that a skipped or reordered stage does not compile.
 */
export class Admitted {
  declare protected readonly stage: 'admitted';
  constructor(
    readonly plan: RoutePlan,
    /** Raw, still percent-encoded values of the template's parameters, by name. */
    readonly rawParams: ReadonlyMap<string, string>,
    /** Raw query without `?`. */
    readonly rawQuery: string,
  ) {}
}

export class Requested {
  declare protected readonly stage: 'requested';
  constructor(
    readonly plan: RoutePlan,
    readonly typed: TypedRequest,
    readonly upstream: UpstreamRequest,
  ) {}
}

/** The head of an answer has arrived. */
export class Forwarded {
  declare protected readonly stage: 'forwarded';
  constructor(
    readonly plan: RoutePlan,
    readonly answer: Answer,
    readonly context: CallContext,
  ) {}
}

/** The head is one that the contract declares. */
export class Transported {
  declare protected readonly stage: 'transported';
  constructor(
    readonly plan: RoutePlan,
    readonly answer: Answer,
    readonly context: CallContext,
    readonly group: StatusGroup,
    /** The group's alternatives for this media type. */
    readonly candidates: readonly Alternative[],
    readonly body: 'json' | 'ndjson' | 'text' | 'empty' | 'unread',
    readonly coding: Coding | 'identity',
  ) {}
}

/** The body is one sound document; `document` is its kept part, or undefined where the contract declares no body. */
export class Scanned {
  declare protected readonly stage: 'scanned';
  constructor(
    readonly plan: RoutePlan,
    readonly context: CallContext,
    readonly candidates: readonly Alternative[],
    readonly document: unknown,
  ) {}
}

/** Exactly one alternative accepted, and it ends in a result. */
export class Conforming {
  declare protected readonly stage: 'conforming';
  constructor(
    readonly plan: RoutePlan,
    readonly context: CallContext,
    readonly index: number,
    readonly outcome: SelectOutcome,
    readonly document: unknown,
  ) {}
}

/** Every check holds. */
export class Proven {
  declare protected readonly stage: 'proven';
  constructor(
    readonly plan: RoutePlan,
    readonly context: CallContext,
    readonly outcome: SelectOutcome,
    readonly document: unknown,
  ) {}
}

/** A fresh result, not yet through the last gate. */
export class Selected {
  declare protected readonly stage: 'selected';
  constructor(
    readonly plan: RoutePlan,
    readonly selection: Selection,
  ) {}
}

/** The result satisfies the closed result schema; only this can become an answer. */
export class Evidence {
  declare protected readonly stage: 'evidence';
  constructor(
    readonly plan: RoutePlan,
    readonly selection: Selection,
  ) {}
}
