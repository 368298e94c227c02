import type { ResendVerdict } from "@/server/errors";

/** What each verdict says, for a person who has to decide. */
export const VERDICTS = {
  safe: {
    short: "Safe to send again",
    means: "Certainly not handed to WhatsApp. Send it again if it still matters.",
  },
  later: {
    short: "Send again later",
    means: "The same can succeed later: after `resend_after` or `Retry-After` where given.",
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
