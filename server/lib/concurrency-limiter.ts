/**
 * Limits the number of concurrent outbound calls of this process, and shares them fairly between owners: channels for
 * calls to WhatsApp, organizations for webhooks.
 */
export interface ConcurrencyLimiter {
  /**
   * Adds a drain of this owner. An owner may take permits while it holds fewer than are free, counting those of its
   * earlier calls, and at least one. It never gets more than half, so that every owner finds permits when the calls of
   * others hang.
   */
  join(ownerId: string): Permits;
  /** Resolves when no permit is held. */
  idle(): Promise<void>;
  readonly inFlight: () => number;
}

export interface Permits {
  /** Takes up to `wanted` permits, possibly none. Returns the number taken. */
  take(wanted: number): number;
  release(count: number): void;
  /** Ends the drain's share. Permits that are still held count for its owner until they are released. */
  leave(): void;
}

/** The permits that an owner holds, and the number of its drains. */
interface Share {
  drains: number;
  inFlight: number;
}

export function createConcurrencyLimiter(total: number): ConcurrencyLimiter {
  const shares = new Map<string, Share>();
  let inFlight = 0;
  let waiters: (() => void)[] = [];

  function release(count: number): void {
    inFlight -= count;
    if (inFlight > 0) return;
    for (const resolve of waiters) resolve();
    waiters = [];
  }

  /** Each permit that is taken adds one to those held, and removes one from those free. */
  function allowance(share: Share): number {
    const free = total - inFlight;
    const fair = Math.floor((free - share.inFlight) / 2);
    return share.inFlight === 0 ? Math.min(free, Math.max(1, fair)) : Math.max(0, fair);
  }

  return {
    join(ownerId) {
      const share = shares.get(ownerId) ?? { drains: 0, inFlight: 0 };
      shares.set(ownerId, share);
      share.drains += 1;
      const forgetWhenUnused = () => {
        if (share.drains === 0 && share.inFlight === 0) shares.delete(ownerId);
      };
      return {
        take(wanted) {
          const count = Math.min(wanted, allowance(share));
          inFlight += count;
          share.inFlight += count;
          return count;
        },
        release(count) {
          share.inFlight -= count;
          forgetWhenUnused();
          release(count);
        },
        leave() {
          share.drains -= 1;
          forgetWhenUnused();
        },
      };
    },
    idle: () => (inFlight === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    inFlight: () => inFlight,
  };
}
