import { Lane, type Destination, type LaneOptions } from "./lane";
import { NumberQueue } from "./number-queue";
import type { PhoneNumber } from "./numbers";
import type { OwedCallback } from "./records";

const stopGraceMs = 1000;

/** Numbers of callbacks that are not delivered yet. */
export interface OwedCounts {
  readonly total: number;
  readonly by_phone_number_id: Record<string, number>;
}

/** Routes owed callbacks to the lane of their number's destination. */
export class Dispatcher {
  readonly #options: LaneOptions;
  readonly #queues = new Map<string, NumberQueue>();
  readonly #lanes = new Map<string, Lane>();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Registers a number, or its new settings. Callbacks that are already owed go to the new destination. */
  setNumber(number: PhoneNumber): void {
    const queue = this.#queue(number.phone_number_id);
    const before = queue.number;
    queue.number = number;
    const lane = this.#lane(number);
    if (before !== null && keyOf(before) !== keyOf(number))
      this.#lanes.get(keyOf(before))?.queues.delete(queue);
    lane.queues.add(queue);
    queue.schedule = (at) => lane.schedule(at);
    lane.schedule(queue.waiting.nextAt);
  }

  /** Takes callbacks for delivery. Those of an unknown number wait until it is registered. */
  owe(callbacks: readonly OwedCallback[]): void {
    for (const callback of callbacks) {
      this.#queue(callback.phone_number_id).push(callback.due_at_ms, { callback, refusals: 0 });
    }
  }

  /** Takes over that the time has jumped: callbacks may be due. */
  clockMoved(): void {
    for (const lane of this.#lanes.values()) lane.clockMoved();
  }

  counts(): OwedCounts {
    const counted = [...this.#queues].map(([id, queue]) => [id, queue.count] as const);
    return {
      total: counted.reduce((sum, [, count]) => sum + count, 0),
      by_phone_number_id: Object.fromEntries(counted.filter(([, count]) => count > 0)),
    };
  }

  /** Ends the calls in progress and returns the callbacks that are still owed. */
  async stop(): Promise<OwedCallback[]> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop(stopGraceMs)));
    return [...this.#queues.values()].flatMap((queue) => queue.owed);
  }

  #queue(phoneNumberId: string): NumberQueue {
    const existing = this.#queues.get(phoneNumberId);
    if (existing !== undefined) return existing;
    const queue = new NumberQueue();
    this.#queues.set(phoneNumberId, queue);
    return queue;
  }

  #lane(destination: Destination): Lane {
    const key = keyOf(destination);
    const existing = this.#lanes.get(key);
    if (existing !== undefined) return existing;
    const lane = new Lane(destination, this.#options);
    this.#lanes.set(key, lane);
    return lane;
  }
}

function keyOf({ callback_url, verify_token, app_secret }: Destination): string {
  return JSON.stringify([callback_url, verify_token, app_secret]);
}
