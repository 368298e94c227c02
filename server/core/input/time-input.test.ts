import { expect, test } from "vitest";
import { sinceInput } from "./time-input";

const HOUR_MS = 3_600_000;

test("so many hours ago is reckoned anew each time that it is asked", () => {
  for (const hours of [1, 24, 720]) {
    const before = Date.now();
    const age = before - Date.parse(sinceInput.parse(`PT${hours}H`));
    expect(age).toBeLessThanOrEqual(hours * HOUR_MS);
    expect(age).toBeGreaterThan(hours * HOUR_MS - 60_000);
  }
});

test("a moment stays what it is, and anything else is refused", () => {
  expect(sinceInput.parse("2026-11-22T14:03:00.000Z")).toBe("2026-11-22T14:03:00.000Z");
  for (const text of ["", "yesterday", "PT0H", "PT1M", "P1D", "PT99999H", "1h"]) {
    expect([text, sinceInput.safeParse(text).success]).toEqual([text, false]);
  }
});
