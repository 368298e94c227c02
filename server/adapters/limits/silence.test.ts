import { expect, test } from "vitest";
import { createSilence } from "./silence";

/** A silence, and a clock that moves only when a test moves it. */
function clocked() {
  let nowMs = 0;
  const silence = createSilence(() => nowMs);
  /** Something that is asked now, and times out. */
  const timeOut = () => {
    const askedAtMs = nowMs;
    nowMs += 500;
    silence.timedOut(askedAtMs);
  };
  return { silence, timeOut, nowMs: () => nowMs, pass: (ms: number) => void (nowMs += ms) };
}

test("begins with the third time-out in a row, and ends with an answer", () => {
  const { silence, timeOut } = clocked();
  timeOut();
  timeOut();
  expect(silence.isOn()).toBe(false);
  timeOut();
  expect(silence.isOn()).toBe(true);
  silence.answered();
  expect(silence.isOn()).toBe(false);
  timeOut();
  expect(silence.isOn()).toBe(false);
});

test("takes time-outs that ran side by side for one", () => {
  const { silence, timeOut, nowMs } = clocked();
  timeOut();
  for (let other = 0; other < 10; other += 1) silence.timedOut(nowMs() - 400);
  expect(silence.isOn()).toBe(false);
});

test("lets the store be tried once a second", () => {
  const { silence, timeOut, pass } = clocked();
  expect(silence.isTryDue()).toBe(false);
  for (let time = 0; time < 3; time += 1) timeOut();
  expect(silence.isTryDue()).toBe(false);
  pass(1_000);
  expect([silence.isTryDue(), silence.isTryDue()]).toEqual([true, false]);
  pass(1_000);
  expect(silence.isTryDue()).toBe(true);
});
