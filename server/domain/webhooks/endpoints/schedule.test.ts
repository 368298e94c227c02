import { describe, expect, test } from "vitest";
import { ATTEMPTS_MAX, backoffSeconds, retryDelaySeconds, type Wait } from "./schedule";

const PLAIN: Wait = { isOverloaded: false, retryAfterSeconds: null };
const middle = () => 0.5;

describe("the next attempt", () => {
  test("comes after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then no more", () => {
    const delays = Array.from({ length: ATTEMPTS_MAX }, (_, made) =>
      retryDelaySeconds(made + 1, PLAIN, middle),
    );
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  test("comes up to a fifth earlier or later", () => {
    expect(retryDelaySeconds(2, PLAIN, () => 0)).toBeCloseTo(240);
    expect(retryDelaySeconds(2, PLAIN, () => 1)).toBeCloseTo(360);
    const delays = Array.from({ length: 100 }, () => retryDelaySeconds(2, PLAIN) ?? 0);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(240);
    expect(Math.max(...delays)).toBeLessThan(360.001);
    expect(new Set(delays).size).toBeGreaterThan(50);
  });

  test.each([
    ["less than the step", 10, 300],
    ["between one and two steps", 450, 450],
    ["more than two steps", 90_000, 600],
  ])(
    "is put off by a Retry-After of %s within one and two times the step",
    (_, retryAfterSeconds, expected) => {
      expect(retryDelaySeconds(2, { isOverloaded: false, retryAfterSeconds }, middle)).toBe(expected);
    },
  );

  test.each([
    [null, 60],
    [7, 60],
    [3_600, 60],
  ])(
    "waits for a minute at least after 429 or a timeout, with a Retry-After of %s",
    (retryAfterSeconds, expected) => {
      expect(retryDelaySeconds(1, { isOverloaded: true, retryAfterSeconds }, middle)).toBe(expected);
    },
  );
});

describe("an endpoint that can't be reached", () => {
  test("is left alone for longer and longer, five minutes at most", () => {
    const delays = Array.from({ length: 9 }, (_, before) => backoffSeconds(before + 1, PLAIN, middle));
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test("is left alone for a minute at least where it doesn't answer in time or has too many requests", () => {
    expect(backoffSeconds(1, { isOverloaded: true, retryAfterSeconds: null }, () => 0)).toBe(60);
    expect(backoffSeconds(7, { isOverloaded: true, retryAfterSeconds: null }, middle)).toBe(300);
  });

  test("is left alone for as long as it asks, up to two times as long as it would be", () => {
    expect(backoffSeconds(1, { isOverloaded: true, retryAfterSeconds: 90 }, middle)).toBe(90);
    expect(backoffSeconds(1, { isOverloaded: true, retryAfterSeconds: 86_400 }, middle)).toBe(120);
  });
});
