import { describe, expect, test } from "vitest";
import { createSlots } from "./slots";

describe("the slots of a process", () => {
  test("are at most half one channel's, across all of its drains", () => {
    const slots = createSlots(8);
    const first = slots.join("a");
    expect([first.take(3), first.take(3), first.take(1)]).toEqual([3, 1, 0]);
    first.leave();
    // Its calls still run.
    const second = slots.join("a");
    expect(second.take(4)).toBe(0);
    first.release(2);
    expect(second.take(4)).toBe(2);
    expect(slots.held()).toBe(4);
  });

  test("are never all held by channels on which calls hang: the next one finds some", () => {
    const slots = createSlots(64);
    const taken = Array.from({ length: 5 }, (_, index) => slots.join(`hanging-${index}`).take(64));
    expect(taken).toEqual([32, 16, 8, 4, 2]);
    expect(slots.join("new").take(1)).toBe(1);
    expect(slots.join("newer").take(1)).toBe(1);
    expect(slots.join("newest").take(1)).toBe(0);
  });

  test("come back to a channel when others give theirs back", () => {
    const slots = createSlots(8);
    const [a, b] = [slots.join("a"), slots.join("b")];
    expect([a.take(8), b.take(8), b.take(8)]).toEqual([4, 2, 0]);
    a.release(4);
    expect([b.take(8), b.take(8)]).toEqual([2, 0]);
  });

  test("leave one to a channel where there is only one", () => {
    const slots = createSlots(1);
    const other = slots.join("b");
    expect(slots.join("a").take(1)).toBe(1);
    expect(other.take(1)).toBe(0);
  });

  test("are idle once the last one is given back, also after its drain has ended", async () => {
    const slots = createSlots(4);
    await slots.idle();
    const seat = slots.join("a");
    seat.take(2);
    seat.leave();
    let isIdle = false;
    const idle = slots.idle().then(() => (isIdle = true));
    seat.release(1);
    await Promise.resolve();
    expect(isIdle).toBe(false);
    seat.release(1);
    await idle;
    expect(slots.held()).toBe(0);
  });
});
