import { describe, expect, test } from "vitest";
import { readStatus } from "./statuses";

const failedWith = (error: unknown) =>
  readStatus({ id: "wamid.1", status: "failed", timestamp: "1750000000", errors: [error] })?.report;

describe("why a message failed", () => {
  test.each([
    ["as Meta documents it", { code: 131026, title: "Title", error_data: { details: "Details" } }, "Details"],
    ["with a code that is text", { code: "131026", message: "Message" }, "Message"],
    ["without details", { code: 131026, title: "Title", error_data: null }, "Title"],
    ["without words", { code: 131026 }, ""],
  ])("is read %s", (_, error, reason) => {
    expect(failedWith(error)).toMatchObject({
      errorCode: "undeliverable",
      detail: { upstreamCode: 131026, reason },
    });
  });

  test("has WhatsApp's title where it is one, and none that could hold a token or a number", () => {
    const title = (text: string) => failedWith({ code: 131026, title: text })?.detail?.title;
    expect(title("User's number is part of an experiment")).toBe("User's number is part of an experiment");
    expect(title("(Business Account, Consumer Account) pair rate limit hit")).toMatch(/^\(Business/);
    for (const text of [
      "",
      " ",
      "To 4915112345678",
      "EAAGm0PX4ZCpsBAKZCZAtoken0123",
      "a\nb",
      "a ".repeat(61),
    ])
      expect(title(text)).toBeUndefined();
  });

  test.each([[null], ["text"], [{}], [{ code: -1 }], [{ code: 1.5 }], [{ code: "13102x" }]])(
    "that can't be read (%j) leaves a failure",
    (error) => {
      expect(failedWith(error)).toMatchObject({
        kind: "failed",
        errorCode: "upstream_rejected",
        detail: { upstreamCode: null },
      });
    },
  );

  test("is kept in at most 500 of the upstream's characters", () => {
    const report = failedWith({ code: 131026, error_data: { details: "x".repeat(100_000) } });
    expect(report?.detail).toEqual({ upstreamCode: 131026, reason: "x".repeat(500) });
  });
});
