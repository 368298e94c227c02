import type { DeliveryState } from "@/db/schema";
import { explainPause } from "@/server/domain/channels/explain-pause";
import type { ResendAdvice } from "@/server/platform/errors";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";
import { explainFailure, type UpstreamError } from "../model/explain-failure";

/** Why a queued message waits. pending.ts chooses if there are several reasons. */
export type PendingReason =
  | "answer"
  | "confirmation"
  | "erasure"
  | "channel_disabled"
  | "channel_paused"
  | "customer_limit"
  | "earlier_message"
  | "next_attempt"
  | "turn";

export interface ExplanationFacts {
  readonly state: DeliveryState;
  readonly errorCode: string | null;
  readonly errorDetail: unknown;
  readonly failedAt: Date | null;
  readonly isErased: boolean;
  /** Null if the message isn't queued. */
  readonly pendingReason: PendingReason | null;
  /** The WhatsApp error that makes the message wait. */
  readonly pendingError: UpstreamError | null;
  readonly pauseReason: string | null;
  /** The state of each message that was sent again from this one. */
  readonly resends: readonly DeliveryState[];
}

/** A message's status in plain words, and what to do. */
export interface Explanation {
  readonly whatHappened: string;
  /** `not_needed`: it arrived, or is on its way. */
  readonly resend: ResendAdvice | "not_needed";
  /** With `later`, if the time is known. */
  readonly resendAfter: Date | null;
  readonly whatToDo: string;
  /**
   * Whether "Send again" is available; with `may_duplicate`, only to users who accept that the message may arrive
   * twice.
   */
  readonly isResendable: boolean;
  /** WhatsApp's own code and title, if it gave a reason. */
  readonly upstream: UpstreamError | null;
}

interface Words {
  readonly whatHappened: string;
  readonly whatToDo: string;
}

const WAITING = {
  erasure: {
    whatHappened: "The message is queued, but its text and number were erased.",
    whatToDo:
      "Nothing yet. The message can't be sent any more and fails within twelve hours of its acceptance.",
  },
  answer: {
    whatHappened: "The message is being sent to WhatsApp now.",
    whatToDo: "Nothing yet. Check again in a minute.",
  },
  confirmation: {
    whatHappened:
      "The message was sent to WhatsApp, but the response was lost. Waypost is waiting for WhatsApp's confirmation and doesn't send the message a second time automatically.",
    whatToDo:
      "Wait for the confirmation. Send the message again only if a duplicate does less harm than a delay.",
  },
  channel_disabled: {
    whatHappened: "The message is waiting because its channel is disabled.",
    whatToDo: "Enable the channel on the Channels page. After twelve hours, the message fails.",
  },
  channel_paused: {
    whatHappened: "The message is waiting because its channel is paused.",
    whatToDo: "An admin has to fix the problem that the channel's page shows.",
  },
  customer_limit: {
    whatHappened:
      "The message is waiting because WhatsApp limits how many messages one customer gets in a short time.",
    whatToDo: "Nothing yet. The message is sent as soon as WhatsApp accepts it.",
  },
  next_attempt: {
    whatHappened: "WhatsApp couldn't be reached or didn't accept the message. Waypost retries automatically.",
    whatToDo: "Nothing yet. The customer hasn't received the message.",
  },
  earlier_message: {
    whatHappened:
      "The message is waiting for an earlier message of the same conversation, so that they arrive in order.",
    whatToDo: "Nothing yet. If this takes long, check what the earlier message is waiting for.",
  },
  turn: {
    whatHappened: "The message is queued and will be sent when it is its turn.",
    whatToDo: "Nothing yet. If this takes longer than a minute, contact the operator of Waypost.",
  },
} as const satisfies Record<PendingReason, Words>;

const ARRIVED = {
  sent: {
    whatHappened: "WhatsApp accepted the message but hasn't confirmed delivery to the customer's phone yet.",
    whatToDo: "Nothing yet. The message arrives when the customer's phone is switched on and online.",
  },
  delivered: {
    whatHappened: "The message reached the customer's phone.",
    whatToDo: "Nothing. WhatsApp reports that a message was read only if the customer allows it.",
  },
  read: {
    whatHappened: "The customer has read the message.",
    whatToDo: "Nothing.",
  },
} as const satisfies Record<Exclude<DeliveryState, "queued" | "failed">, Words>;

const SENT_AGAIN = "This message was already sent again. Check the status of the new message.";
const IS_ERASED =
  "The text and number of this message were erased, so you can't send it again. Create a new message.";

/** Explains a message's status, whether it may be sent again, and what to do. Pure. */
export function explainMessage(facts: ExplanationFacts): Explanation {
  if (facts.state === "failed") return failed(facts);
  if (facts.state !== "queued") return { ...ARRIVED[facts.state], ...NOT_NEEDED };
  const pendingReason = facts.pendingReason ?? "turn";
  const upstream = facts.pendingError;
  if (pendingReason === "confirmation") {
    const explanation = { ...WAITING.confirmation, resend: "may_duplicate", resendAfter: null } as const;
    return { ...explanation, isResendable: !facts.isErased, upstream };
  }
  return { ...NOT_NEEDED, ...waitingWords(pendingReason, facts), upstream };
}

/** Explains a row of a list, given the facts that its columns lack. */
export function explainRow(
  row: Omit<ExplanationFacts, "isErased" | "pendingReason" | "pendingError" | "resends"> & {
    readonly erasedAt: Date | null;
  },
  {
    pendingReason,
    pendingError,
    resends,
  }: Pick<ExplanationFacts, "pendingReason" | "pendingError" | "resends">,
): Explanation {
  const { state, errorCode, errorDetail, failedAt, pauseReason, erasedAt } = row;
  return explainMessage({
    state,
    errorCode,
    errorDetail,
    failedAt,
    pauseReason,
    pendingReason,
    pendingError,
    isErased: erasedAt !== null,
    resends,
  });
}

const NOT_NEEDED = {
  resend: "not_needed",
  resendAfter: null,
  isResendable: false,
  upstream: null,
} as const;

/** Uses WhatsApp's words if it gave a reason: a pause and a retry each have several possible reasons. */
function waitingWords(pendingReason: PendingReason, { pendingError, pauseReason }: ExplanationFacts): Words {
  const words = WAITING[pendingReason];
  const code = pendingError?.code ?? null;
  if (pendingReason === "next_attempt" || pendingReason === "customer_limit") {
    const outcome = code === null ? null : upstreamOutcome(code);
    return outcome === null ? words : { ...words, whatHappened: `${outcome.said} ${TRIED_AGAIN}` };
  }
  if (pendingReason !== "channel_paused") return words;
  const { message, remedy } = explainPause(pauseReason, code);
  return {
    whatHappened: message === null ? words.whatHappened : `${words.whatHappened} ${message}`,
    whatToDo: `${remedy ?? words.whatToDo} ${SENT_BY_ITSELF}`,
  };
}

const TRIED_AGAIN = "Waypost retries the message automatically.";
const SENT_BY_ITSELF = "The message is then sent automatically. After twelve hours, it fails.";

function failed({ errorCode, errorDetail, failedAt, isErased, resends }: ExplanationFacts): Explanation {
  const failure = { errorCode: errorCode ?? "upstream_rejected", errorDetail, failedAt };
  const { message, resend, resendAfter, nextStep, upstream } = explainFailure(failure);
  const isSentAgain = resends.some((state) => state !== "failed");
  return {
    whatHappened: message,
    // The customer has the other message, or will have it.
    resend: isSentAgain && resend !== "never" ? "may_duplicate" : resend,
    resendAfter,
    whatToDo: isSentAgain ? SENT_AGAIN : isErased ? IS_ERASED : nextStep,
    isResendable: resend !== "never" && !isErased,
    upstream,
  };
}
