/** Calls upstream that may run at once in this process, shared fairly between channels (design section 5, "Claim"). */
export interface Slots {
  /**
   * A channel that is being drained. While another one is too, it holds at most half of the slots, those of its calls
   * from before included.
   */
  join(channelId: string): Seat;
  /** Resolves when no slot is held. */
  idle(): Promise<void>;
  readonly held: () => number;
}

export interface Seat {
  /** Takes up to `wanted` slots; may be none. */
  take(wanted: number): number;
  release(count: number): void;
  /** Makes room for others; slots still held count as the channel's until released. */
  leave(): void;
}

interface Share {
  seats: number;
  held: number;
}

export function createSlots(total: number): Slots {
  const shares = new Map<string, Share>();
  let held = 0;
  let waiters: (() => void)[] = [];

  function release(count: number): void {
    held -= count;
    if (held > 0) return;
    for (const wake of waiters) wake();
    waiters = [];
  }

  function isAnotherDrained(own: Share): boolean {
    return [...shares.values()].some((share) => share !== own && share.seats > 0);
  }

  return {
    join(channelId) {
      const share = shares.get(channelId) ?? { seats: 0, held: 0 };
      shares.set(channelId, share);
      share.seats += 1;
      const forgetWhenUnused = () => {
        if (share.seats === 0 && share.held === 0) shares.delete(channelId);
      };
      return {
        take(wanted) {
          const most = isAnotherDrained(share) ? Math.max(1, Math.floor(total / 2)) : total;
          const count = Math.max(0, Math.min(wanted, total - held, most - share.held));
          held += count;
          share.held += count;
          return count;
        },
        release(count) {
          share.held -= count;
          forgetWhenUnused();
          release(count);
        },
        leave() {
          share.seats -= 1;
          forgetWhenUnused();
        },
      };
    },
    idle: () => (held === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    held: () => held,
  };
}
