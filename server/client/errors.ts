import type { OperationName } from "./operations.js";
import type { ErrorCode, ResendAdvice } from "./types.js";

/** The facts of a refusal. */
export interface WaypostErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly resend: ResendAdvice;
  readonly operation: OperationName;
  readonly field?: string | undefined;
  readonly resendAfter?: Date | undefined;
  readonly docUrl?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Waypost refused a request. Handle it by `code`: `message` is for people and may change. */
export class WaypostError extends Error {
  override readonly name = "WaypostError";
  /** Stable error code. More codes can be added: treat an unknown one by its `status`. */
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** Whether to send again: `later`: wait first. `never`: the request would be refused again. */
  readonly resend: ResendAdvice;
  /** The refused operation, by its name in the API's description. */
  readonly operation: OperationName;
  /** The invalid field. */
  readonly field: string | undefined;
  /** With `resend: "later"`: from when sending again can succeed. */
  readonly resendAfter: Date | undefined;
  /** Documentation of the code. */
  readonly docUrl: string | undefined;
  /** `X-Request-Id` of the answer, for the operator of Waypost. */
  readonly requestId: string | undefined;
  /** Time after which the request can succeed, as Waypost said in `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(facts: WaypostErrorFacts) {
    super(facts.message);
    this.code = facts.code;
    this.status = facts.status;
    this.resend = facts.resend;
    this.operation = facts.operation;
    this.field = facts.field;
    this.resendAfter = facts.resendAfter;
    this.docUrl = facts.docUrl;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/**
 * Why there is no answer of Waypost. `network`: the connection failed. `timeout`: no complete answer arrived in time.
 * `redirect`: the server answered with a redirect, which isn't followed. `invalid_answer`: the answer isn't one of
 * Waypost, for example the page of a proxy, whatever its status, or it is too large.
 */
export type ConnectionErrorReason = "network" | "timeout" | "redirect" | "invalid_answer";

export interface ConnectionErrorFacts {
  readonly message: string;
  readonly reason: ConnectionErrorReason;
  readonly operation: OperationName;
  readonly mayHaveBeenAccepted: boolean;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** No answer of Waypost arrived, in spite of all retries. */
export class WaypostConnectionError extends Error {
  override readonly name = "WaypostConnectionError";
  readonly reason: ConnectionErrorReason;
  /** The operation, by its name in the API's description. */
  readonly operation: OperationName;
  /**
   * True if Waypost may have carried out the request: the message may be sent. To find out, repeat the same request
   * with the same `client_message_id`. False if it certainly didn't.
   */
  readonly mayHaveBeenAccepted: boolean;
  /** HTTP status of an answer that isn't one of Waypost. */
  readonly status: number | undefined;
  /** `Retry-After` of an answer that isn't one of Waypost. */
  readonly retryAfterMs: number | undefined;

  constructor(facts: ConnectionErrorFacts) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.reason = facts.reason;
    this.operation = facts.operation;
    this.mayHaveBeenAccepted = facts.mayHaveBeenAccepted;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
