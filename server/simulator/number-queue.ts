import { DueQueue } from "./due-queue";
import type { PhoneNumber } from "./numbers";
import type { OwedCallback } from "./records";

/** A waiting callback, with the number of times that the receiver refused it. */
export interface Pending {
  readonly callback: OwedCallback;
  readonly refusals: number;
}

/** The owed callbacks of one business phone number. */
export class NumberQueue {
  readonly waiting = new DueQueue<Pending>();
  readonly #inFlight = new Set<Pending>();
  /** Null while no number with this id is registered. */
  number: PhoneNumber | null = null;
  /** Notifies the lane of this queue that a callback is due at `at`. Does nothing without a number. */
  schedule: (at: number) => void = () => undefined;

  /** All callbacks that are not delivered, including calls in progress. */
  get owed(): OwedCallback[] {
    return [...this.waiting.items(), ...this.#inFlight].map(({ callback }) => callback);
  }

  get count(): number {
    return this.waiting.size + this.#inFlight.size;
  }

  /** Takes the first callback that is due by `now`. */
  takeDue(now: number): Pending | null {
    if (this.waiting.nextAt > now) return null;
    const first = this.waiting.pop();
    if (first === undefined) return null;
    this.#inFlight.add(first);
    return first;
  }

  push(at: number, pending: Pending): void {
    this.waiting.push(at, pending);
    this.schedule(at);
  }

  settle(pending: Pending): void {
    this.#inFlight.delete(pending);
  }

  /** Puts a callback back after a failure, to be retried at `at`. */
  putBack(pending: Pending, at: number, refusals: number): void {
    this.#inFlight.delete(pending);
    this.push(at, { callback: pending.callback, refusals });
  }
}
