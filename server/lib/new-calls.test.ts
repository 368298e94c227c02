import { afterEach, expect, test, vi } from "vitest";
import { newCalls } from "./new-calls";

afterEach(() => {
  newCalls.release();
  vi.useRealTimers();
});

/** Asks whether a call may be started, and records when it is allowed. */
function ask() {
  const state = { isAllowed: false };
  const asking = newCalls.allowed().then(() => (state.isAllowed = true));
  return { state, asking };
}

test("calls may be started, unless they are held back", async () => {
  await newCalls.allowed();
  newCalls.hold(60_000);
  const waiting = ask();
  await Promise.resolve();
  expect(waiting.state.isAllowed).toBe(false);
  newCalls.release();
  await waiting.asking;
  await newCalls.allowed();
});

test("they are held back no longer than the limit, also if nobody releases them", async () => {
  vi.useFakeTimers();
  newCalls.hold(30_000);
  const waiting = ask();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(waiting.state.isAllowed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(waiting.state.isAllowed).toBe(true);
});

test("the limit of an earlier hold doesn't end a later one", async () => {
  vi.useFakeTimers();
  newCalls.hold(10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  newCalls.hold(10_000);
  const waiting = ask();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(waiting.state.isAllowed).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(waiting.state.isAllowed).toBe(true);
});
