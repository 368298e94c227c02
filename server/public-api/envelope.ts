import { ERRORS, type ErrorCode, type ResendVerdict, type WaypostError } from "../errors";

/** What every refusal answers (spec section 7): `code` is stable, `message` may change. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
    /** Whether the same request may be sent again. */
    readonly resend: ResendVerdict;
    readonly resend_after?: string;
  };
}

function envelope(error: WaypostError): ErrorEnvelope {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.field === undefined ? {} : { field: error.field }),
      resend: error.resend,
      ...(error.resendAfter === undefined ? {} : { resend_after: error.resendAfter.toISOString() }),
    },
  };
}

export interface PublicResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer for an error of the catalogue. One that only a message can carry is an error of ours. */
export function errorResponse(error: WaypostError): PublicResponse {
  return {
    status: ERRORS[error.code].status ?? 500,
    headers: { "Content-Type": "application/json; charset=utf-8", ...error.headers },
    body: JSON.stringify(envelope(error)),
  };
}
