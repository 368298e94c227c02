import { asFields, listOfFields } from "./fields";
import type { EventRecord } from "./records";

const dayMs = 24 * 60 * 60 * 1000;
/** Meta takes a mark for 30 days after the message. */
const markableForMs = 30 * dayMs;

/** A customer's message: its id, the number that received it, and when, in milliseconds since 1970. */
export type ReceivedMessage = readonly [wamid: string, phoneNumberId: string, atMs: number];

/** The customers' messages of the last 30 days, which can be marked as read. Derived from the journal. */
export class ReceivedMessages {
  readonly #messages: Map<string, ReceivedMessage>;

  constructor(messages: Iterable<ReceivedMessage> = []) {
    this.#messages = new Map([...messages].map((message) => [message[0], message]));
  }

  /** Adds the messages of a change that was reported to a number. */
  note({ phone_number_id, at_ms, value }: EventRecord): void {
    for (const wamid of messageIdsIn(value)) this.#messages.set(wamid, [wamid, phone_number_id, at_ms]);
  }

  /** Returns true if the number received the message at most 30 days before `nowMs`. */
  has(phoneNumberId: string, wamid: string, nowMs: number): boolean {
    const message = this.#messages.get(wamid);
    return message !== undefined && message[1] === phoneNumberId && isMarkable(message, nowMs);
  }

  /** Returns those that can still be marked. */
  entries(nowMs: number): ReceivedMessage[] {
    return [...this.#messages.values()].filter((message) => isMarkable(message, nowMs));
  }
}

function isMarkable([, , atMs]: ReceivedMessage, nowMs: number): boolean {
  return nowMs - atMs <= markableForMs;
}

function messageIdsIn(value: object): string[] {
  return listOfFields(asFields(value)?.messages).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}
