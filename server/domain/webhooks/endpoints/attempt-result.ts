import type { WebhookErrorClass } from "@/db/schema";
import type { OutboundResult } from "@/server/adapters/outbound/post";
import type { Wait } from "./schedule";

/** The result of a webhook call. */
export interface AttemptResult extends Wait {
  /** Null: it was delivered. */
  readonly errorClass: WebhookErrorClass | null;
  readonly httpStatus: number | null;
  /** The first 2 KB of the response. */
  readonly answer: string | null;
  readonly durationMs: number;
  /** Whether the endpoint itself has to back off: it wasn't reached, or it asks for that. */
  readonly backsOff: boolean;
}

/** Converts the result of a call. Only 2xx is a success. */
export function toAttemptResult(result: OutboundResult, now: Date): AttemptResult {
  const { durationMs } = result;
  if (result.kind === "failed") {
    const isOverloaded = result.failure === "timeout";
    const nothing = { httpStatus: null, answer: null, retryAfterSeconds: null };
    return { ...nothing, errorClass: result.failure, isOverloaded, durationMs, backsOff: true };
  }
  const { httpStatus, answer } = result;
  const errorClass = classOf(httpStatus);
  const isOverloaded = errorClass === "rate_limited";
  const retryAfterSeconds = errorClass === null ? null : readRetryAfter(result.retryAfter, now);
  return {
    errorClass,
    httpStatus,
    answer,
    durationMs,
    isOverloaded,
    retryAfterSeconds,
    backsOff: isOverloaded,
  };
}

function classOf(status: number): WebhookErrorClass | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "redirect";
  if (status === 410) return "gone";
  return status === 429 ? "rate_limited" : "status";
}

/**
 * Reads both forms of the header (RFC 9110 section 10.2.3): seconds, or a date in any of its forms (section 5.6.7).
 * @returns seconds from now; null if it is neither, or has passed.
 */
export function readRetryAfter(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  // The oldest of the three date forms has no time zone.
  const seconds = (Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}
