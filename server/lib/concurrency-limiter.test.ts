import { describe, expect, test } from "vitest";
import { createConcurrencyLimiter } from "./concurrency-limiter";

describe("the slots of a process", () => {
  test("are at most half one channel's, across all of its drains", () => {
    const limiter = createConcurrencyLimiter(8);
    const first = limiter.join("a");
    expect([first.take(3), first.take(3), first.take(1)]).toEqual([3, 1, 0]);
    first.leave();
    // Its calls are still running.
    const second = limiter.join("a");
    expect(second.take(4)).toBe(0);
    first.release(2);
    expect(second.take(4)).toBe(2);
    expect(limiter.inFlight()).toBe(4);
  });

  test("are never all held by channels on which calls hang: the next one finds some", () => {
    const limiter = createConcurrencyLimiter(64);
    const taken = Array.from({ length: 5 }, (_, index) => limiter.join(`hanging-${index}`).take(64));
    expect(taken).toEqual([32, 16, 8, 4, 2]);
    expect(limiter.join("new").take(1)).toBe(1);
    expect(limiter.join("newer").take(1)).toBe(1);
    expect(limiter.join("newest").take(1)).toBe(0);
  });

  test("come back to a channel when others give theirs back", () => {
    const limiter = createConcurrencyLimiter(8);
    const [a, b] = [limiter.join("a"), limiter.join("b")];
    expect([a.take(8), b.take(8), b.take(8)]).toEqual([4, 2, 0]);
    a.release(4);
    expect([b.take(8), b.take(8)]).toEqual([2, 0]);
  });

  test("leave one to a channel where there is only one", () => {
    const limiter = createConcurrencyLimiter(1);
    const other = limiter.join("b");
    expect(limiter.join("a").take(1)).toBe(1);
    expect(other.take(1)).toBe(0);
  });

  test("are idle once the last one is given back, also after its drain has ended", async () => {
    const limiter = createConcurrencyLimiter(4);
    await limiter.idle();
    const permits = limiter.join("a");
    permits.take(2);
    permits.leave();
    let isIdle = false;
    const idle = limiter.idle().then(() => (isIdle = true));
    permits.release(1);
    await Promise.resolve();
    expect(isIdle).toBe(false);
    permits.release(1);
    await idle;
    expect(limiter.inFlight()).toBe(0);
  });
});
