import type { ErrorCode } from "../errors";

/**
 * What an upstream error code means for the message (reference: Meta, "Error codes", WhatsApp Cloud API; built on `code`
 * only, as Meta says, never on titles, subcodes or HTTP statuses).
 * - `transient`: nothing was sent; try again later.
 * - `permanent`: the same message would be refused again.
 */
export type UpstreamClass = "transient" | "permanent";

interface UpstreamOutcome {
  readonly class: UpstreamClass;
  readonly error: ErrorCode;
}

const PERMANENT = { class: "permanent", error: "upstream_rejected" } as const;
const TRANSIENT = { class: "transient", error: "upstream_rejected" } as const;

const OUTCOMES: Readonly<Record<number, UpstreamOutcome>> = {
  // Unknown, unavailable, maintenance: certain only because a clean error came back without a message id.
  1: TRANSIENT,
  2: TRANSIENT,
  131000: TRANSIENT,
  131016: TRANSIENT,
  131057: TRANSIENT,
  133004: TRANSIENT,
  // Throughput of the app, the account, the number, and of one contact.
  4: TRANSIENT,
  80007: TRANSIENT,
  130429: TRANSIENT,
  131056: TRANSIENT,
  // Credentials and permissions, account and number: an operator mends them, and the message waits.
  0: TRANSIENT,
  3: TRANSIENT,
  10: TRANSIENT,
  190: TRANSIENT,
  368: TRANSIENT,
  130497: TRANSIENT,
  131005: TRANSIENT,
  131031: TRANSIENT,
  131042: TRANSIENT,
  131045: TRANSIENT,
  131048: TRANSIENT,
  131064: TRANSIENT,
  133006: TRANSIENT,
  133010: TRANSIENT,
  // The recipient.
  131026: { class: "permanent", error: "undeliverable" },
  131047: { class: "permanent", error: "outside_customer_window" },
  130403: PERMANENT,
  130472: PERMANENT,
  131030: PERMANENT,
  131049: PERMANENT,
  131050: PERMANENT,
  137000: PERMANENT,
  // The message itself.
  33: PERMANENT,
  100: PERMANENT,
  131008: PERMANENT,
  131009: PERMANENT,
  131021: PERMANENT,
  131051: PERMANENT,
  131053: PERMANENT,
  135000: PERMANENT,
  // The template.
  132000: PERMANENT,
  132001: PERMANENT,
  132005: PERMANENT,
  132007: PERMANENT,
  132012: PERMANENT,
  132015: PERMANENT,
  132016: PERMANENT,
  132018: PERMANENT,
};

/** Graph permission errors (Meta: codes 200 to 299). */
const isPermissionCode = (code: number) => code >= 200 && code <= 299;

export function upstreamOutcome(code: number): UpstreamOutcome | null {
  return OUTCOMES[code] ?? (isPermissionCode(code) ? TRANSIENT : null);
}

/** The code under which a message failed, for a `failed` status with this upstream code. */
export function failureCode(code: number | null): ErrorCode {
  return (code === null ? null : upstreamOutcome(code)?.error) ?? "upstream_rejected";
}
