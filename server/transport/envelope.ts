import type { StoredFile } from "@/server/adapters/files/store";
import type { Services } from "@/server/core/context";
import { type ErrorCode, type ResendAdvice, statusOf, type WaypostError } from "@/server/platform/errors";

/** The body of every error response: `code` is stable, `message` may change. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
    /** Whether the same request may be sent again. */
    readonly resend: ResendAdvice;
    readonly resend_after?: string;
    /** Documentation page of the code. */
    readonly doc_url?: string;
  };
}

/** @param docUrl documentation page of the code. Null if there is none. */
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

/** Status of a response without a body. */
export const NO_CONTENT = 204;

export interface PublicResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the status has no body. */
  readonly body: string;
  /** Sent instead of the body. `headers` contain its length. */
  readonly file?: StoredFile;
  /** The catalogue's code of an error response. */
  readonly errorCode?: ErrorCode;
  /** The invalid field of an error response that names one. */
  readonly errorField?: string | undefined;
}

/** Shared caches don't store responses to requests with `Authorization`, but they do for requests with `X-Api-Key`. */
export const UNSHARED = { "Cache-Control": "no-store" } as const;

/**
 * Builds the response for an error of the catalogue. A code that only a message can have is an internal error here.
 * @param services provide the documentation page of the code.
 * @param method of the request, which can decide the status.
 */
export function errorResponse(
  error: WaypostError,
  services: Pick<Services, "urls">,
  method = "",
): PublicResponse {
  return {
    status: statusOf(error.code, method) ?? 500,
    headers: { "Content-Type": "application/json; charset=utf-8", ...UNSHARED, ...error.headers },
    body: JSON.stringify(envelope(error, services.urls.documentation(error.code))),
    errorCode: error.code,
    errorField: error.field,
  };
}
