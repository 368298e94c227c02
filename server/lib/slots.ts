/**
 * Calls out that may run at once in this process, shared fairly between those that make them: channels for calls
 * upstream, organizations for webhooks.
 */
export interface Slots {
  /**
   * Begins a drain of this one's. It takes as long as it holds fewer than are free, those of its calls from before
   * included, and at least one: never more than half, and whatever hangs for some, another one finds slots.
   */
  join(ownerId: string): Seat;
  /** Resolves when no slot is held. */
  idle(): Promise<void>;
  readonly held: () => number;
}

export interface Seat {
  /** Takes up to `wanted` slots; may be none. */
  take(wanted: number): number;
  release(count: number): void;
  /** Makes room for others; slots still held count as its owner's until released. */
  leave(): void;
}

/** What an owner holds, and by how many drains. */
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

  /** Each slot that is taken is one more that is held, and one less that is free. */
  function allowance(share: Share): number {
    const free = total - held;
    const fair = Math.floor((free - share.held) / 2);
    return share.held === 0 ? Math.min(free, Math.max(1, fair)) : Math.max(0, fair);
  }

  return {
    join(ownerId) {
      const share = shares.get(ownerId) ?? { seats: 0, held: 0 };
      shares.set(ownerId, share);
      share.seats += 1;
      const forgetWhenUnused = () => {
        if (share.seats === 0 && share.held === 0) shares.delete(ownerId);
      };
      return {
        take(wanted) {
          const count = Math.min(wanted, allowance(share));
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
