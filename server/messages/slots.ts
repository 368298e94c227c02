/** Calls upstream that may run at once in this process, shared fairly between channels (design section 5, "Claim"). */
export interface Slots {
  /** A channel that is being drained. While another one is too, it holds at most half of the slots. */
  join(): Seat;
  /** Resolves when no slot is held. */
  idle(): Promise<void>;
  readonly held: () => number;
}

export interface Seat {
  /** Takes up to `wanted` slots; may be none. */
  take(wanted: number): number;
  release(count: number): void;
  /** Ends the share; slots still held stay held until released. */
  leave(): void;
}

export function createSlots(total: number): Slots {
  const seats = new Map<object, number>();
  let held = 0;
  let waiters: (() => void)[] = [];

  function release(count: number): void {
    held -= count;
    if (held > 0) return;
    for (const wake of waiters) wake();
    waiters = [];
  }

  return {
    join() {
      const seat = {};
      seats.set(seat, 0);
      const own = () => seats.get(seat) ?? 0;
      return {
        take(wanted) {
          const share = seats.size > 1 ? Math.max(1, Math.floor(total / 2)) : total;
          const count = Math.max(0, Math.min(wanted, total - held, share - own()));
          held += count;
          seats.set(seat, own() + count);
          return count;
        },
        release(count) {
          if (seats.has(seat)) seats.set(seat, own() - count);
          release(count);
        },
        leave: () => seats.delete(seat),
      };
    },
    idle: () => (held === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    held: () => held,
  };
}
