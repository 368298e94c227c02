import type { Services } from "@/server/core/context";
import { ERRORS, type ErrorCode, type ResendAdvice, type WaypostError } from "@/server/platform/errors";

/** The body of every refusal: `code` is stable, `message` may change. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
    /** Whether the same request may be sent again. */
    readonly resend: ResendAdvice;
    readonly resend_after?: string;
    /** Where the documentation explains the code. */
    readonly doc_url?: string;
  };
}

/** @param docUrl where the code is explained; null for nowhere. */
export function envelope(error: WaypostError, docUrl: string | null): ErrorEnvelope {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.field === undefined ? {} : { field: error.field }),
      resend: error.resend,
      ...(error.resendAfter === undefined ? {} : { resend_after: error.resendAfter.toISOString() }),
      ...(docUrl === null ? {} : { doc_url: docUrl }),
    },
  };
}

/** The status of an answer that has no body. */
export const NO_CONTENT = 204;

export interface PublicResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty with a status that has none. */
  readonly body: string;
  /** The catalogue's code, of an answer with an error. */
  readonly errorCode?: ErrorCode;
  /** The field at fault, of an answer that names one. */
  readonly errorField?: string | undefined;
}

/** Shared caches know that an answer to `Authorization` is one client's own. They don't know it of `X-Api-Key`. */
export const UNSHARED = { "Cache-Control": "no-store" } as const;

/**
 * The answer for an error of the catalogue. One that only a message can carry is an error of ours.
 * @param services tell where the code is explained.
 */
export function errorResponse(error: WaypostError, services: Pick<Services, "docUrl">): PublicResponse {
  return {
    status: ERRORS[error.code].status ?? 500,
    headers: { "Content-Type": "application/json; charset=utf-8", ...UNSHARED, ...error.headers },
    body: JSON.stringify(envelope(error, services.docUrl(error.code))),
    errorCode: error.code,
    errorField: error.field,
  };
}
