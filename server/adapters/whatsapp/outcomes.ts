import type { ErrorCode } from "@/server/platform/errors";
import { MESSAGE_CODES } from "./message-codes";
import { NUMBER_CODES, PERMISSION } from "./number-codes";
import type { UpstreamCodes, UpstreamOutcome } from "./upstream-code";

/**
 * Meta's error codes of the Cloud API
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes): what Waypost does about each, and how it
 * is explained. Built on `code` only, as Meta says, never on titles, subcodes or HTTP statuses. `error` is what a message
 * fails with when the code comes in a `failed` status: then the message was taken, and no later try of ours is possible.
 */
export const UPSTREAM_CODES: UpstreamCodes = { ...NUMBER_CODES, ...MESSAGE_CODES };

/** Graph permission errors. */
export const PERMISSION_CODES = { first: 200, last: 299 } as const;

const isPermissionCode = (code: number) => code >= PERMISSION_CODES.first && code <= PERMISSION_CODES.last;

export function upstreamOutcome(code: number): UpstreamOutcome | null {
  return UPSTREAM_CODES[code] ?? (isPermissionCode(code) ? PERMISSION : null);
}

/** The code under which a message failed, for a `failed` status with this upstream code. */
export function failureCode(code: number | null): ErrorCode {
  return (code === null ? null : upstreamOutcome(code)?.error) ?? "upstream_rejected";
}
