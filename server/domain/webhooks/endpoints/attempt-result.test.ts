import { describe, expect, test } from "vitest";
import { readRetryAfter, toAttemptResult } from "./attempt-result";

const NOW = new Date("2026-11-22T12:00:00.400Z");

describe("Retry-After", () => {
  test.each([
    ["120", 120],
    [" 120 ", 120],
    ["0", 0],
    ["Sun, 22 Nov 2026 12:01:00 GMT", 60],
    ["Sunday, 22-Nov-26 12:01:00 GMT", 60],
    ["Sun Nov 22 12:01:00 2026", 60],
    ["Sun, 22 Nov 2026 11:59:00 GMT", null],
    ["-5", null],
    ["1.5", null],
    ["1e3", null],
    ["soon", null],
    ["", null],
    ["99999999999999", null],
    [null, null],
  ])("of %j is %j seconds", (header, seconds) => {
    expect(readRetryAfter(header, NOW)).toBe(seconds);
  });
});

describe("what a call came to", () => {
  const answered = (httpStatus: number, retryAfter: string | null = null) =>
    toAttemptResult({ kind: "answered", httpStatus, retryAfter, answer: "", durationMs: 5 }, NOW);

  test.each([200, 201, 202, 204, 299])("is success with %i, and nothing else is", (status) => {
    expect(answered(status)).toMatchObject({ errorClass: null, backsOff: false });
  });

  test.each([
    [300, "redirect"],
    [301, "redirect"],
    [307, "redirect"],
    [400, "status"],
    [401, "status"],
    [404, "status"],
    [410, "gone"],
    [429, "rate_limited"],
    [500, "status"],
    [502, "status"],
    [599, "status"],
  ])("with %i is %s", (status, errorClass) => {
    expect(answered(status)).toMatchObject({ errorClass, httpStatus: status });
  });

  test("asks for a back-off where the endpoint wasn't reached, or has too many requests; no other answer does", () => {
    const failures = ["dns", "connection", "reset", "tls", "timeout", "forbidden", "invalid_answer"] as const;
    for (const failure of failures) {
      expect(toAttemptResult({ kind: "failed", failure, durationMs: 1 }, NOW)).toMatchObject({
        errorClass: failure,
        backsOff: true,
        isOverloaded: failure === "timeout",
      });
    }
    expect(answered(429, "30")).toMatchObject({ backsOff: true, isOverloaded: true, retryAfterSeconds: 30 });
    expect(answered(503, "30")).toMatchObject({
      backsOff: false,
      isOverloaded: false,
      retryAfterSeconds: 30,
    });
  });
});
