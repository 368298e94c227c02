import type { ResendVerdict } from "@/server/platform/errors";

/** What each verdict says, for a person who has to decide. */
export const VERDICTS = {
  safe: {
    short: "Safe to send again",
    means: "Not delivered: WhatsApp said so, or it was never handed over. Send it again if it still matters.",
  },
  later: {
    short: "Send again later",
    means:
      "Can succeed later, from `resend_after` or after `Retry-After` where given: the same request after a refusal, a new `client_message_id` after a message has failed.",
  },
  never: {
    short: "Don’t send again",
    means: "The same would be refused again, or must not be sent. Change what is wrong first.",
  },
  may_duplicate: {
    short: "May arrive twice",
    means: "WhatsApp may have taken it. Sending again can reach the customer a second time.",
  },
} as const satisfies Record<ResendVerdict, { short: string; means: string }>;

export const VERDICT_NAMES = Object.keys(VERDICTS).filter(isVerdict);

function isVerdict(name: string): name is ResendVerdict {
  return Object.hasOwn(VERDICTS, name);
}
