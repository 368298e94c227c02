import { isCountedRefusal, type CallRecord } from "./records";

/**
 * Counts the refusals of a message, for the outcomes that refuse only the first calls. A message is identified by
 * (phone_number_id, recipient, biz_opaque_callback_data). An acceptance ends its count.
 */
export class Refusals {
  readonly #counts: Map<string, number>;

  constructor(entries: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(entries);
  }

  count(message: RefusedMessage): number {
    return this.#counts.get(keyOf(message)) ?? 0;
  }

  /** Counts a call. Must happen in the same turn of the event loop as the decision about it. */
  note(record: CallRecord): void {
    if (isCountedRefusal(record)) this.#counts.set(keyOf(record), this.count(record) + 1);
    else if (record.wamid !== null) this.#counts.delete(keyOf(record));
  }

  entries(): [string, number][] {
    return [...this.#counts];
  }
}

type RefusedMessage = Pick<CallRecord, "phone_number_id" | "to" | "biz_opaque_callback_data">;

function keyOf(message: RefusedMessage): string {
  return JSON.stringify([message.phone_number_id, message.to, message.biz_opaque_callback_data]);
}
