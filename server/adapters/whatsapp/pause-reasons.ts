/**
 * Reasons why the upstream currently accepts nothing from a channel, and how Waypost detects the end.
 * - `number`: the number is read from the upstream every minute.
 * - `message`: only a send can show it, so one queued message is tried every hour.
 */
export const PAUSE_REASONS = {
  credentials_invalid: {
    probe: "number",
    message: "The access token is invalid or has expired.",
    remedy: "Create a new token in Meta's business settings and replace the channel's access token with it.",
  },
  permission_missing: {
    probe: "number",
    message: "The access token doesn't have permission to send from this number.",
    remedy: "Give the token's system user the permission whatsapp_business_messaging for the account.",
  },
  account_locked: {
    probe: "number",
    message: "The WhatsApp account is restricted.",
    remedy: "Check the account's quality and policy page at Meta.",
  },
  payment_required: {
    probe: "number",
    message: "Meta has no working payment method for the account.",
    remedy: "Correct the payment method in Meta's billing settings.",
  },
  policy_blocked: {
    probe: "message",
    message: "The account is blocked for a violation of Meta's policies.",
    remedy: "Read Meta's notice and appeal there.",
  },
  spam_limited: {
    probe: "message",
    message: "WhatsApp is currently limiting how many messages the number may send.",
    remedy: "Send fewer messages, and only messages that customers asked for.",
  },
  number_not_registered: {
    probe: "number",
    message: "There is a problem with the number's registration at WhatsApp.",
    remedy: "Register the number at Meta again, with its two-step PIN.",
  },
} as const satisfies Record<string, { probe: "number" | "message"; message: string; remedy: string }>;

export type PauseReason = keyof typeof PAUSE_REASONS;

export function isPauseReason(name: string): name is PauseReason {
  return Object.hasOwn(PAUSE_REASONS, name);
}
