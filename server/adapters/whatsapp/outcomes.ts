import type { ErrorCode } from "@/server/platform/errors";
import { MESSAGE_CODES } from "./message-codes";
import { NUMBER_CODES, PERMISSION } from "./number-codes";
import type { UpstreamCodes, UpstreamOutcome } from "./upstream-code";

/**
 * Meta's error codes of the Cloud API (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes):
 * how Waypost handles and explains each. Based on `code` only, as Meta recommends, never on titles, subcodes or HTTP
 * statuses. `error` is the code that a message fails with if the code comes in a `failed` status: the message was
 * accepted then, so we can't retry it.
 */
export const UPSTREAM_CODES: UpstreamCodes = { ...NUMBER_CODES, ...MESSAGE_CODES };

/** Graph permission errors. */
export const PERMISSION_CODES = { first: 200, last: 299 } as const;

const isPermissionCode = (code: number) => code >= PERMISSION_CODES.first && code <= PERMISSION_CODES.last;

export function upstreamOutcome(code: number): UpstreamOutcome | null {
  return UPSTREAM_CODES[code] ?? (isPermissionCode(code) ? PERMISSION : null);
}

/** Returns the code that a message fails with, for a `failed` status with this upstream code. */
export function failureCode(code: number | null): ErrorCode {
  return (code === null ? null : upstreamOutcome(code)?.error) ?? "upstream_rejected";
}
