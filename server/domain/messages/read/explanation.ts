import type { DeliveryState } from "@/db/schema";
import { explainPause } from "@/server/domain/channels/explain-pause";
import type { ResendAdvice } from "@/server/platform/errors";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";
import { explainFailure, type UpstreamError } from "../model/explain-failure";

/** What a queued message waits for. pending.ts chooses when there are several. */
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
  /** Null for a message that isn't queued. */
  readonly pendingReason: PendingReason | null;
  /** WhatsApp's error because of which the message waits. */
  readonly pendingError: UpstreamError | null;
  readonly pauseReason: string | null;
  /** Of the messages that were sent again from this one, the state of each. */
  readonly resends: readonly DeliveryState[];
}

/** A message's status in plain words, and what to do. */
export interface Explanation {
  readonly whatHappened: string;
  /** `not_needed`: it arrived, or is on its way. */
  readonly resend: ResendAdvice | "not_needed";
  /** With `later`, where the time is known. */
  readonly resendAfter: Date | null;
  readonly whatToDo: string;
  /** Whether "Send again" may be pressed; with `may_duplicate`, by who accepts that it may arrive twice. */
  readonly isResendable: boolean;
  /** WhatsApp's own code and title, where it said why. */
  readonly upstream: UpstreamError | null;
}

interface Words {
  readonly whatHappened: string;
  readonly whatToDo: string;
}

const WAITING = {
  erasure: {
    whatHappened: "The message is queued, and its text and number are erased.",
    whatToDo: "Nothing: it can't be sent any more, and fails within twelve hours of its acceptance.",
  },
  answer: {
    whatHappened: "The message is being handed to WhatsApp at this moment.",
    whatToDo: "Nothing: look again in a minute.",
  },
  confirmation: {
    whatHappened:
      "The message was handed to WhatsApp, and the answer got lost. It waits for WhatsApp's confirmation, and isn't sent a second time by itself.",
    whatToDo:
      "Wait for the confirmation. Send it again only where arriving twice does less harm than arriving late.",
  },
  channel_disabled: {
    whatHappened: "The message waits because its channel is disabled.",
    whatToDo: "Enable the channel on the page Channels. After twelve hours the message fails.",
  },
  channel_paused: {
    whatHappened: "The message waits because its channel is paused.",
    whatToDo: "An admin has to correct what the channel's page says of the number.",
  },
  customer_limit: {
    whatHappened:
      "The message waits because WhatsApp limits how many messages one customer gets in a short time.",
    whatToDo: "Nothing: it is sent as soon as WhatsApp takes it.",
  },
  next_attempt: {
    whatHappened: "WhatsApp couldn't be reached, or didn't take the message. It is tried again by itself.",
    whatToDo: "Nothing: the customer hasn't got it, and it is tried again until it is twelve hours old.",
  },
  earlier_message: {
    whatHappened:
      "The message waits for an earlier one of the same conversation, so that they arrive in order.",
    whatToDo: "Nothing. If it lasts, see what the earlier message waits for.",
  },
  turn: {
    whatHappened: "The message is queued, and is sent as soon as it is its turn.",
    whatToDo: "Nothing. If it lasts longer than a minute, tell whoever operates Waypost.",
  },
} as const satisfies Record<PendingReason, Words>;

const ARRIVED = {
  sent: {
    whatHappened: "WhatsApp has taken the message, and hasn't said yet that it reached the customer's phone.",
    whatToDo: "Nothing: it arrives when the customer's phone is switched on and online.",
  },
  delivered: {
    whatHappened: "The message reached the customer's phone.",
    whatToDo: "Nothing. Whether it is read, WhatsApp only tells where the customer lets it.",
  },
  read: {
    whatHappened: "The customer has read the message.",
    whatToDo: "There is nothing to do.",
  },
} as const satisfies Record<Exclude<DeliveryState, "queued" | "failed">, Words>;

const SENT_AGAIN = "It was sent again already: see what became of that message.";
const IS_ERASED = "Its text and number are erased, so that it can't be sent again; write a new message.";

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

/** Explains a row of a list, given what its own columns don't say. */
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

/** Where WhatsApp said why, in its words: a pause and a retry each have more than one reason. */
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

const TRIED_AGAIN = "The message is tried again by itself.";
const SENT_BY_ITSELF = "The message is then sent by itself; after twelve hours it fails.";

function failed({ errorCode, errorDetail, failedAt, isErased, resends }: ExplanationFacts): Explanation {
  const failure = { errorCode: errorCode ?? "upstream_rejected", errorDetail, failedAt };
  const { message, resend, resendAfter, nextStep, upstream } = explainFailure(failure);
  const isSentAgain = resends.some((state) => state !== "failed");
  return {
    whatHappened: message,
    // Its customer has that one, or will have.
    resend: isSentAgain && resend !== "never" ? "may_duplicate" : resend,
    resendAfter,
    whatToDo: isSentAgain ? SENT_AGAIN : isErased ? IS_ERASED : nextStep,
    isResendable: resend !== "never" && !isErased,
    upstream,
  };
}
