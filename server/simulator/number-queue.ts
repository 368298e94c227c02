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

/** A priority queue: the item with the earliest time comes first, equal times in the order of arrival. */
export class DueQueue<Item> {
  readonly #heap: { at: number; order: number; item: Item }[] = [];
  #arrivals = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The time of the first item. Infinity if there is none. */
  get nextAt(): number {
    return this.#heap[0]?.at ?? Infinity;
  }

  items(): Item[] {
    return this.#heap.map(({ item }) => item);
  }

  push(at: number, item: Item): void {
    this.#arrivals += 1;
    this.#heap.push({ at, order: this.#arrivals, item });
    let child = this.#heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  pop(): Item | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first.item;
  }

  #sink(): void {
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      const smaller = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(smaller, parent)) return;
      this.#swap(parent, smaller);
      parent = smaller;
    }
  }

  #isBefore(left: number, right: number): boolean {
    const a = this.#heap[left];
    const b = this.#heap[right];
    if (a === undefined || b === undefined) return false;
    return a.at === b.at ? a.order < b.order : a.at < b.at;
  }

  #swap(left: number, right: number): void {
    const a = this.#heap[left];
    const b = this.#heap[right];
    if (a === undefined || b === undefined) return;
    this.#heap[left] = b;
    this.#heap[right] = a;
  }
}
