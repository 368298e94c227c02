import fc from "fast-check";
import { expect, test } from "vitest";
import { WaypostError } from "./errors.js";
import { limitsOf } from "./options.js";
import { retryDelayMs, waitMs } from "./retry.js";

const failureWith = (retryAfterMs?: number) =>
  new WaypostError({
    code: "unavailable",
    message: "",
    status: 503,
    resend: "later",
    operation: "sendMessage",
    retryAfterMs,
  });

test("waits double, up to a limit, and each is a random part", () => {
  const longest = [1, 2, 3, 4, 5, 6, 7].map((tries) => waitMs(failureWith(), tries, () => 1));
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000]);
  expect(waitMs(failureWith(), 3, () => 0)).toBe(0);
  expect(waitMs(failureWith(), 3, () => 0.5)).toBe(1_000);
});

test("a wait is never shorter than Retry-After, and a try never begins after the budget", () => {
  const limits = limitsOf();
  const case_ = fc.record({
    tries: fc.integer({ min: 1, max: 6 }),
    elapsedMs: fc.integer({ min: 0, max: 150_000 }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 150_000 }), { nil: undefined }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(case_, ({ tries, elapsedMs, retryAfterMs, random }) => {
      const failure = failureWith(retryAfterMs);
      const delayMs = retryDelayMs({ failure, tries, elapsedMs, limits, random: () => random });
      if (delayMs === null) return tries > 4 || elapsedMs + waitMs(failure, tries, () => random) >= 120_000;
      return tries <= 4 && delayMs >= (retryAfterMs ?? 0) && elapsedMs + delayMs < 120_000;
    }),
  );
});
