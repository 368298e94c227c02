import { catalogueEntry, isErrorCode, remedyForStaff, type ResendAdvice } from "@/server/platform/errors";

/** A refused request as it is selected. */
export interface RefusedRow {
  readonly id: string;
  readonly refusedAt: Date;
  readonly keyId: string;
  readonly keyName: string;
  readonly secretPrefix: string | null;
  readonly secretLastFour: string | null;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly clientMessageId: string | null;
  readonly durationMs: number;
}

/** A refused request as members see it. */
export interface RefusedRequestView {
  /** What its answer told as `X-Request-Id`. */
  readonly requestId: string;
  readonly at: Date;
  /** Prefix and last four of the secret that was sent, which may be one that a rotation has ended. */
  readonly key: {
    readonly id: string;
    readonly name: string;
    readonly prefix: string | null;
    readonly lastFour: string | null;
  };
  readonly method: string;
  /** Template of the path; one for all that don't exist. */
  readonly route: string;
  readonly status: number;
  readonly code: string;
  /** Path of the input field at fault; a name in it that is none is left out. */
  readonly field: string | null;
  readonly clientMessageId: string | null;
  readonly durationMs: number;
  /** By the catalogue; null for a code that an earlier version had. */
  readonly explanation: {
    readonly message: string;
    /** What support staff do: the same as about a message that failed with the code. */
    readonly nextStep: string;
    /** What whoever made the request does. */
    readonly remedy: string;
    readonly resend: ResendAdvice;
  } | null;
}

export function viewOf(row: RefusedRow): RefusedRequestView {
  const { id, refusedAt, keyId, keyName, secretPrefix, secretLastFour, ...same } = row;
  return {
    ...same,
    requestId: id,
    at: refusedAt,
    key: { id: keyId, name: keyName, prefix: secretPrefix, lastFour: secretLastFour },
    explanation: explanationOf(row.code),
  };
}

function explanationOf(code: string): RefusedRequestView["explanation"] {
  if (!isErrorCode(code)) return null;
  const { message, remedy, resend } = catalogueEntry(code);
  return { message, nextStep: remedyForStaff(code), remedy, resend };
}
