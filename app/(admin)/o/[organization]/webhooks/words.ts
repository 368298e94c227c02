import type { Tone } from "@/app/ui/tag";
import type { Attempt, ChosenType, DeliveryState, Endpoint, ErrorClass, EventType } from "./types";

/** Under what happens each type is sent, in the order of a message’s life. */
export const CHOSEN_TYPES = {
  "message.sent": "WhatsApp has taken a message",
  "message.delivered": "It is on the customer’s device",
  "message.read": "The customer has seen it",
  "message.failed": "It won’t be delivered, and why",
  "message.received": "A customer wrote: with what they wrote",
} as const satisfies Record<ChosenType, string>;

export const CHOSEN_TYPE_NAMES = Object.keys(CHOSEN_TYPES).filter(isChosenType);

export const EVENT_TYPE_NAMES: readonly EventType[] = [...CHOSEN_TYPE_NAMES, "webhook.test"];

function isChosenType(name: string): name is ChosenType {
  return Object.hasOwn(CHOSEN_TYPES, name);
}

/** Such as `sent, failed`. */
export function eventsInWords(events: readonly EventType[]): string {
  const isAll = CHOSEN_TYPE_NAMES.every((name) => events.includes(name));
  return isAll ? "all" : events.map((name) => name.replace(/^message\./, "")).join(", ");
}

interface StateWords {
  readonly tone: Tone;
  readonly meaning: string;
}

/** By the names that the documentation has for them. */
export const DELIVERY_STATES = {
  pending: { tone: "info", meaning: "It waits for an attempt, or is being sent now." },
  delivered: { tone: "good", meaning: "The endpoint has taken it." },
  failed: { tone: "bad", meaning: "Every attempt failed, and no other is made by itself." },
  skipped: {
    tone: "warn",
    meaning: "The endpoint was disabled, so it wasn’t sent.",
  },
  available: { tone: "neutral", meaning: "It waits to be fetched, for seven days." },
} as const satisfies Record<DeliveryState, StateWords>;

export const DELIVERY_STATE_NAMES = Object.keys(DELIVERY_STATES).filter(isDeliveryState);

function isDeliveryState(name: string): name is DeliveryState {
  return Object.hasOwn(DELIVERY_STATES, name);
}

interface FailureWords {
  /** Why it didn’t get there. */
  readonly why: string;
  readonly remedy: string;
}

/** What each kind of failure means, and what to do. */
export const FAILURES = {
  dns: {
    why: "The name in the URL has no address",
    remedy: "Check the URL’s spelling, and that the name is in the public DNS.",
  },
  connection: {
    why: "Nothing takes connections at the URL",
    remedy: "See that your program runs, and that no firewall keeps Waypost out.",
  },
  reset: {
    why: "The connection was cut before there was an answer",
    remedy: "Look in the log of your program, and of the proxy before it, at that time.",
  },
  tls: {
    why: "The certificate can’t be trusted",
    remedy:
      "See that it names this host, isn’t out of date, and comes with the certificates between it and its root.",
  },
  timeout: {
    why: "There was no answer within 15 seconds",
    remedy: "Have your program keep the event and answer at once, and do its work afterwards.",
  },
  forbidden: {
    why: "The URL leads to an address that isn’t public",
    remedy: "Have its name lead to public addresses only, or fetch the events instead.",
  },
  invalid_answer: {
    why: "What came back isn’t HTTP",
    remedy: "Check the port in the URL: another kind of service answers there.",
  },
  redirect: {
    why: "It answered with a redirect, and those aren’t followed",
    remedy: "Change the URL to the one that it leads to.",
  },
  status: {
    why: "It answered that it didn’t take the event",
    remedy: "Look in your program’s log at that time. Any answer of 200 to 299 counts as taken.",
  },
  rate_limited: {
    why: "It asked for fewer events (HTTP 429)",
    remedy: "Nothing needs doing if it is rare: events wait for a minute or more. Else let more through.",
  },
  gone: {
    why: "It answered that it is gone for good (HTTP 410)",
    remedy: "If that was wrong, mend what answers there, and enable the endpoint again.",
  },
  interrupted: {
    why: "Waypost stopped during the call, so nobody knows whether it arrived",
    remedy: "Nothing needs doing: it is sent again, under the same id.",
  },
  erased: {
    why: "The customer’s words were erased before it could be sent",
    remedy: "Nothing is left to send.",
  },
} as const satisfies Record<ErrorClass, FailureWords>;

/** Whether its call runs now: it has no outcome yet. */
export function isRunning({ duration_ms, http_status, error_class }: Attempt): boolean {
  return duration_ms === null && http_status === null && error_class === null;
}

/** Why an endpoint gets nothing. */
export const DISABLED = {
  member: { tone: "neutral", tag: "disabled", title: "It is disabled", remedy: null },
  failing: {
    tone: "bad",
    tag: "disabled after failures",
    title: "It was disabled, because nothing had got through for five days",
    remedy: "Mend what fails, send a test, then enable it.",
  },
  gone: {
    tone: "bad",
    tag: "disabled: gone",
    title: "It was disabled, because it answered that it is gone for good (HTTP 410)",
    remedy: "If that was wrong, mend what answers there, send a test, then enable it. Else remove it.",
  },
} as const satisfies Record<
  NonNullable<Endpoint["disabled_reason"]>,
  { tone: Tone; tag: string; title: string; remedy: string | null }
>;
