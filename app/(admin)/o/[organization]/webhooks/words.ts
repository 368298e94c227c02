import type { Tone } from "@/app/ui/tag";
import type { Attempt, ChosenType, DeliveryState, Endpoint, ErrorClass, EventType } from "./types";

/** When each type is sent, in the order of a message’s life; then those of contacts. */
export const CHOSEN_TYPES = {
  "message.sent": "WhatsApp accepted a message",
  "message.delivered": "The message is on the customer’s device",
  "message.read": "The customer read the message",
  "message.failed": "The message won’t be delivered; includes the reason",
  "message.received": "A customer wrote; includes the message",
  "contact.opted_out": "A customer no longer wants marketing messages",
  "contact.opted_in": "A customer wants marketing messages again",
  "contact.changed": "A customer has a new number; includes the old one",
} as const satisfies Record<ChosenType, string>;

export const CHOSEN_TYPE_NAMES = Object.keys(CHOSEN_TYPES).filter(isChosenType);

export const EVENT_TYPE_NAMES: readonly EventType[] = [...CHOSEN_TYPE_NAMES, "webhook.test"];

function isChosenType(name: string): name is ChosenType {
  return Object.hasOwn(CHOSEN_TYPES, name);
}

/** Returns a text such as `sent, failed`. */
export function eventsInWords(events: readonly EventType[]): string {
  const isAll = CHOSEN_TYPE_NAMES.every((name) => events.includes(name));
  return isAll ? "all" : events.map((name) => name.replace(/^message\./, "")).join(", ");
}

interface StateWords {
  readonly tone: Tone;
  readonly meaning: string;
}

/** By their names in the documentation. */
export const DELIVERY_STATES = {
  pending: { tone: "info", meaning: "Waiting for an attempt, or being sent now." },
  delivered: { tone: "good", meaning: "The endpoint accepted the event." },
  failed: { tone: "bad", meaning: "The final attempt failed. There are no more automatic retries." },
  skipped: {
    tone: "warn",
    meaning: "The endpoint was disabled, so the event wasn’t sent.",
  },
  available: { tone: "neutral", meaning: "Ready to be fetched, for seven days." },
} as const satisfies Record<DeliveryState, StateWords>;

export const DELIVERY_STATE_NAMES = Object.keys(DELIVERY_STATES).filter(isDeliveryState);

function isDeliveryState(name: string): name is DeliveryState {
  return Object.hasOwn(DELIVERY_STATES, name);
}

interface FailureWords {
  /** Why it was not delivered. */
  readonly why: string;
  readonly remedy: string;
}

/** For each kind of failure, its meaning and what to do. */
export const FAILURES = {
  dns: {
    why: "The host name in the URL has no IP address",
    remedy: "Check the spelling of the URL. Check that the host name is in public DNS.",
  },
  connection: {
    why: "No connection to the URL",
    remedy: "Check that your program is running and that no firewall blocks Waypost.",
  },
  reset: {
    why: "The connection was closed before a response",
    remedy: "Check the logs of your program and of the proxy in front of it at that time.",
  },
  tls: {
    why: "The TLS certificate isn’t trusted",
    remedy:
      "Check that the certificate is for this host, has not expired and is sent with its intermediate certificates.",
  },
  timeout: {
    why: "No response within 15 seconds",
    remedy: "Your program should store the event, respond immediately and process the event afterwards.",
  },
  forbidden: {
    why: "The URL resolves to an IP address that isn’t public",
    remedy: "Make the host name resolve to public addresses only, or fetch the events instead.",
  },
  invalid_answer: {
    why: "The response isn’t HTTP",
    remedy: "Check the port in the URL. Another kind of service responds there.",
  },
  redirect: {
    why: "The endpoint responded with a redirect, which Waypost doesn’t follow",
    remedy: "Change the URL to the target of the redirect.",
  },
  status: {
    why: "The endpoint did not accept the event",
    remedy:
      "Check your program’s log at that time. Waypost counts a response status from 200 to 299 as accepted.",
  },
  rate_limited: {
    why: "The endpoint’s rate limit was reached (HTTP 429)",
    remedy:
      "If this is rare, you don’t need to do anything: events wait for a minute or more. Otherwise, raise the limit of your endpoint.",
  },
  gone: {
    why: "The endpoint responded that it is permanently gone (HTTP 410)",
    remedy: "If this is wrong, fix the program at this URL and enable the endpoint again.",
  },
  interrupted: {
    why: "Waypost stopped during the attempt, so it isn’t known whether the event arrived",
    remedy: "You don’t need to do anything. Waypost sends the event again with the same ID.",
  },
  erased: {
    why: "The customer’s data was erased before the event could be sent",
    remedy: "There is nothing left to send.",
  },
} as const satisfies Record<ErrorClass, FailureWords>;

/** Returns whether the attempt is running now: it has no outcome yet. */
export function isRunning({ duration_ms, http_status, error_class }: Attempt): boolean {
  return duration_ms === null && http_status === null && error_class === null;
}

/** Why an endpoint receives nothing. */
export const DISABLED = {
  member: { tone: "neutral", tag: "disabled", title: "This endpoint is disabled", remedy: null },
  failing: {
    tone: "bad",
    tag: "disabled after failures",
    title: "This endpoint was disabled because no delivery succeeded for five days",
    remedy: "Fix the problem, send a test, then enable the endpoint.",
  },
  gone: {
    tone: "bad",
    tag: "disabled: gone",
    title: "This endpoint was disabled because it responded that it is permanently gone (HTTP 410)",
    remedy:
      "If this is wrong, fix the program at this URL, send a test, then enable the endpoint. Otherwise, remove the endpoint.",
  },
} as const satisfies Record<
  NonNullable<Endpoint["disabled_reason"]>,
  { tone: Tone; tag: string; title: string; remedy: string | null }
>;
