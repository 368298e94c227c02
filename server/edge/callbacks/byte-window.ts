const WINDOW_SECONDS = 60;

/** Counts bytes per second over the last minute, and never admits more than the limit in any 60 seconds. */
export function createByteWindow(nowSeconds: () => number = () => Math.floor(performance.now() / 1000)) {
  const bytesBySecond = new Map<number, number>();
  let total = 0;

  function forgetOld(now: number): void {
    for (const [second, bytes] of bytesBySecond) {
      if (second > now - WINDOW_SECONDS - 1) return;
      bytesBySecond.delete(second);
      total -= bytes;
    }
  }

  return {
    /** @returns null if the bytes were admitted, else the seconds until enough are free again. */
    take(bytes: number, limit: number): number | null {
      const now = nowSeconds();
      forgetOld(now);
      if (total + bytes > limit) return secondsUntilFree(total + bytes - limit, now);
      bytesBySecond.set(now, (bytesBySecond.get(now) ?? 0) + bytes);
      total += bytes;
      return null;
    },
  };

  function secondsUntilFree(excess: number, now: number): number {
    let freed = 0;
    for (const [second, bytes] of bytesBySecond) {
      freed += bytes;
      if (freed >= excess) return Math.max(1, second + WINDOW_SECONDS + 1 - now);
    }
    return WINDOW_SECONDS;
  }
}
