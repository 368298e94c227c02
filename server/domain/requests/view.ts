import { catalogueEntry, isErrorCode, remedyForStaff, type ResendAdvice } from "@/server/platform/errors";

/** A selected refused request. */
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
  /** The `X-Request-Id` of its response. */
  readonly requestId: string;
  readonly at: Date;
  /** Prefix and last four characters of the sent secret, which a rotation may have ended since. */
  readonly key: {
    readonly id: string;
    readonly name: string;
    readonly prefix: string | null;
    readonly lastFour: string | null;
  };
  readonly method: string;
  /** The path's template; the same for all unknown paths. */
  readonly route: string;
  readonly status: number;
  readonly code: string;
  /** Path of the input field at fault. Parts that don't look like names are left out. */
  readonly field: string | null;
  readonly clientMessageId: string | null;
  readonly durationMs: number;
  /** By the catalogue; null for a code of an earlier version. */
  readonly explanation: {
    readonly message: string;
    /** The step for support staff: the same as for a message that failed with this code. */
    readonly nextStep: string;
    /** The step for the caller. */
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
