import { expect, test } from "vitest";
import { createCircuitBreaker } from "./circuit-breaker";

/** A circuit breaker with a clock that only the test moves. */
function clocked() {
  let nowMs = 0;
  const breaker = createCircuitBreaker(() => nowMs);
  /** Simulates a call that begins now and times out. */
  const timeOut = () => {
    const askedAtMs = nowMs;
    nowMs += 500;
    breaker.timedOut(askedAtMs);
  };
  return { breaker, timeOut, nowMs: () => nowMs, pass: (ms: number) => void (nowMs += ms) };
}

test("begins with the third time-out in a row, and ends with an answer", () => {
  const { breaker, timeOut } = clocked();
  timeOut();
  timeOut();
  expect(breaker.isOpen()).toBe(false);
  timeOut();
  expect(breaker.isOpen()).toBe(true);
  breaker.answered();
  expect(breaker.isOpen()).toBe(false);
  timeOut();
  expect(breaker.isOpen()).toBe(false);
});

test("takes time-outs that ran side by side for one", () => {
  const { breaker, timeOut, nowMs } = clocked();
  timeOut();
  for (let other = 0; other < 10; other += 1) breaker.timedOut(nowMs() - 400);
  expect(breaker.isOpen()).toBe(false);
});

test("lets the store be tried once a second", () => {
  const { breaker, timeOut, pass } = clocked();
  expect(breaker.isProbeDue()).toBe(false);
  for (let time = 0; time < 3; time += 1) timeOut();
  expect(breaker.isProbeDue()).toBe(false);
  pass(1_000);
  expect([breaker.isProbeDue(), breaker.isProbeDue()]).toEqual([true, false]);
  pass(1_000);
  expect(breaker.isProbeDue()).toBe(true);
});
