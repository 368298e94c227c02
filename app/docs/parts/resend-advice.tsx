import type { ResendAdvice } from "@/server/platform/errors";
import { Prose, Table } from "./article";

/** The meaning of each value of `resend`, in words for a person who decides whether to send again. */
export const RESEND_ADVICE = {
  safe: {
    short: "Safe to send again",
    means:
      "The message was not delivered: WhatsApp said so, or it was never handed over. Send it again if it is still relevant.",
  },
  later: {
    short: "Send again later",
    means:
      "Sending again can succeed later, from `resend_after` or after `Retry-After` if given. After a refusal, repeat the same request. For a failed message, use a new `client_message_id`.",
  },
  never: {
    short: "Don’t send again",
    means: "The same message would be refused again, or must not be sent. Correct the problem first.",
  },
  may_duplicate: {
    short: "May arrive twice",
    means: "WhatsApp may have accepted the message. If you send it again, the customer can get it twice.",
  },
} as const satisfies Record<ResendAdvice, { short: string; means: string }>;

const RESEND_ADVICE_NAMES = Object.keys(RESEND_ADVICE).filter(isResendAdvice);

function isResendAdvice(name: string): name is ResendAdvice {
  return Object.hasOwn(RESEND_ADVICE, name);
}

/** The meanings of all values of `error.resend`. */
export function ResendTable() {
  return (
    <Table
      isStacked
      head={["error.resend", "Meaning"]}
      rows={RESEND_ADVICE_NAMES.map((name) => ({
        key: name,
        cells: [<code key="name">{name}</code>, <Prose key="means" text={RESEND_ADVICE[name].means} />],
      }))}
    />
  );
}
