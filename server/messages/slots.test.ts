import { describe, expect, test } from "vitest";
import { createSlots } from "./slots";

describe("the slots of a process", () => {
  test("are all one channel's while no other is drained, and never more than there are", () => {
    const slots = createSlots(4);
    const seat = slots.join("a");
    expect([seat.take(3), seat.take(3), seat.take(1)]).toEqual([3, 1, 0]);
    expect(slots.held()).toBe(4);
  });

  test("are at most half one channel's while another is drained, across all of its drains", () => {
    const slots = createSlots(4);
    const other = slots.join("b");
    const first = slots.join("a");
    expect(first.take(4)).toBe(2);
    first.leave();
    // Its calls still run.
    const second = slots.join("a");
    expect(second.take(4)).toBe(0);
    first.release(1);
    expect(second.take(4)).toBe(1);
    expect(other.take(4)).toBe(2);
  });

  test("are shared by two drains of one channel, without halving", () => {
    const slots = createSlots(4);
    const [first, second] = [slots.join("a"), slots.join("a")];
    expect([first.take(3), second.take(3)]).toEqual([3, 1]);
  });

  test("are all for the channel that is left, also while calls of another still run", () => {
    const slots = createSlots(4);
    const gone = slots.join("b");
    gone.take(1);
    gone.leave();
    expect(slots.join("a").take(4)).toBe(3);
  });

  test("leave one to each of many channels", () => {
    const slots = createSlots(1);
    slots.join("b");
    expect(slots.join("a").take(1)).toBe(1);
  });

  test("are idle once the last one is given back, also after its drain has ended", async () => {
    const slots = createSlots(2);
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
