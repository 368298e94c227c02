import { WaypostConnectionError, WaypostError } from "./errors.js";
import { changesSomething, operationOf } from "./operations.js";
import type { Limits } from "./options.js";

const BACKOFF_BASE_MS = 500;
const BACKOFF_MAX_MS = 20_000;
/** A day. */
const RETRY_AFTER_MAX_MS = 86_400_000;
/** With these, Waypost did nothing: too many requests, and a request that didn't arrive completely. */
const REFUSED_UNDONE = new Set([408, 429]);

export type Failure = WaypostError | WaypostConnectionError;

interface Tried {
  readonly failure: Failure;
  /** Tries so far, from 1. */
  readonly tries: number;
  /** Since the start of the call. */
  readonly elapsedMs: number;
  readonly limits: Limits;
  /** From 0 to 1; replaced in tests. */
  readonly random?: () => number;
}

/** Decides about another try. @returns the wait before it. Null if there is no other try. */
export function retryDelayMs({ failure, tries, elapsedMs, limits, random }: Tried): number | null {
  if (tries > limits.maxRetries || !isTemporary(failure)) return null;
  const delayMs = waitMs(failure, tries, random);
  return elapsedMs + delayMs < limits.retryBudgetMs ? delayMs : null;
}

/**
 * Returns how long to wait after a failure: as long as `Retry-After` says, and in addition a random part of a time that
 * doubles with each try (full jitter), so that clients which failed together don't return together.
 */
export function waitMs(failure: Failure, tries: number, random = Math.random): number {
  const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (tries - 1));
  // A longer time would overflow the timer, which would end at once.
  return Math.ceil(Math.min(failure.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS) + random() * backoffMs);
}

/** Whether a repeat can succeed, and can do no harm. */
export function isTemporary(failure: Failure): boolean {
  const { isRepeatable } = operationOf(failure.operation);
  const { status } = failure;
  // Proxies answer like this while Waypost restarts.
  if (isForeign(failure) && !changesSomething(failure.operation)) return true;
  if (status !== undefined) return REFUSED_UNDONE.has(status) || (status >= 500 && isRepeatable);
  if (failure instanceof WaypostError || failure.reason === "redirect") return false;
  // The connection failed, or took too long.
  return isRepeatable || !failure.mayHaveBeenAccepted;
}

/** Returns true if the answer came from another server than Waypost, such as a proxy. */
function isForeign(failure: Failure): boolean {
  if (failure instanceof WaypostError) return false;
  return failure.reason === "invalid_answer" || failure.reason === "redirect";
}

/** Returns an error of this client. Null if it is another one. */
export function asFailure(error: unknown): Failure | null {
  return error instanceof WaypostError || error instanceof WaypostConnectionError ? error : null;
}
