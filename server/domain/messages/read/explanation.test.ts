import { describe, expect, test } from "vitest";
import { catalogueEntry, ERRORS, FAILURE_CODES, isErrorCode } from "@/server/platform/errors";
import { PAUSE_REASONS } from "@/server/adapters/whatsapp/pause-reasons";
import { failureCode, upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";
import { type ExplanationFacts, explainMessage, type PendingReason } from "./explanation";

/** Instructions that only an operator at a shell can follow. */
const COMMAND = /`|\bdoctor\b|npm/;

const facts = (given: Partial<ExplanationFacts>): ExplanationFacts => ({
  state: "failed",
  errorCode: null,
  errorDetail: null,
  failedAt: new Date(0),
  isErased: false,
  pendingReason: null,
  pendingError: null,
  pauseReason: null,
  resends: [],
  ...given,
});

describe("every code that a message can fail with", () => {
  test("has words for staff, and no other code has", () => {
    const withWords = Object.keys(ERRORS)
      .filter(isErrorCode)
      .filter((code) => catalogueEntry(code).staffRemedy !== undefined);
    expect(withWords.toSorted()).toEqual(FAILURE_CODES.toSorted());
    for (const code of withWords) expect(catalogueEntry(code).staffRemedy).toMatch(/^[A-Z].{20,}\.$/);
  });

  test("is in the catalogue as such, whatever the upstream answers", () => {
    const possible = Array.from({ length: 140_000 }, (_, code) => failureCode(code));
    expect([...new Set(possible)].filter((code) => !FAILURE_CODES.includes(code))).toEqual([]);
  });

  test.each(FAILURE_CODES)("%s says what happened, whether to send again, and what to do", (code) => {
    const { message, resend, staffRemedy, resendAfterSeconds } = catalogueEntry(code);
    expect(explainMessage(facts({ errorCode: code }))).toEqual({
      whatHappened: message,
      resend,
      resendAfter: resendAfterSeconds === undefined ? null : new Date(resendAfterSeconds * 1000),
      whatToDo: staffRemedy,
      isResendable: resend !== "never",
      upstream: null,
    });
  });
});

describe("a message that failed", () => {
  test("and is erased can't be sent again, whatever its code", () => {
    for (const errorCode of FAILURE_CODES) {
      expect(explainMessage(facts({ errorCode, isErased: true })).isResendable).toBe(false);
    }
  });

  test("and was sent again is said to be, unless that failed too", () => {
    const whatToDo = (resends: ExplanationFacts["resends"]) =>
      explainMessage(facts({ errorCode: "expired", resends })).whatToDo;
    expect(whatToDo(["failed", "queued"])).toMatch(/already sent again/);
    expect(whatToDo(["failed"])).toBe(whatToDo([]));
    const resend = (resends: ExplanationFacts["resends"], errorCode = "expired") =>
      explainMessage(facts({ errorCode, resends })).resend;
    expect(resend(["failed"])).toBe("safe");
    expect(resend(["failed", "queued"])).toBe("may_duplicate");
    expect(resend(["read"], "recipient_not_on_whatsapp")).toBe("never");
  });

  test("with a code of another version is shown as a refusal of WhatsApp's", () => {
    expect(explainMessage(facts({ errorCode: "of_old" }))).toEqual(
      explainMessage(facts({ errorCode: "upstream_rejected" })),
    );
  });
});

test.each(["sent", "delivered", "read"] as const)("a message that is %s needn't be sent again", (state) => {
  expect(explainMessage(facts({ state }))).toMatchObject({ resend: "not_needed", isResendable: false });
});

describe("a queued message", () => {
  const reasons: readonly PendingReason[] = [
    "erasure",
    "answer",
    "channel_disabled",
    "channel_paused",
    "customer_limit",
    "next_attempt",
    "earlier_message",
    "turn",
  ];
  const pending = (given: Partial<ExplanationFacts>) =>
    explainMessage(facts({ state: "queued", failedAt: null, ...given }));

  test("says what it waits for, each in words of its own and without a command, and isn't sent again", () => {
    const verdicts = reasons.map((pendingReason) => pending({ pendingReason }));
    expect(new Set(verdicts.map(({ whatHappened }) => whatHappened)).size).toBe(reasons.length);
    for (const explanation of verdicts) {
      expect(explanation).toMatchObject({ resend: "not_needed", isResendable: false });
      expect(explanation.whatToDo).not.toMatch(COMMAND);
    }
  });

  test.each([
    ["next_attempt", 4],
    ["next_attempt", 130_429],
    ["customer_limit", 131_056],
  ] as const)("that waits for %s after WhatsApp's code %i says what WhatsApp said", (pendingReason, code) => {
    const upstream = { code, title: "Its title" };
    const explanation = pending({ pendingReason, pendingError: upstream });
    expect(explanation.whatHappened).toContain(upstreamOutcome(code)?.said);
    expect(explanation.whatHappened).toContain("Waypost retries the message automatically");
    expect(explanation.upstream).toEqual(upstream);
  });

  test("on a channel that is paused says which of several reasons it was, and that it is sent by itself", () => {
    const said = (code: number) =>
      pending({
        pendingReason: "channel_paused",
        pauseReason: "spam_limited",
        pendingError: { code, title: null },
      });
    for (const code of [131_048, 131_064]) {
      const outcome = upstreamOutcome(code);
      expect(said(code).whatHappened).toContain(outcome?.said);
      expect(said(code).whatToDo).toContain(outcome?.nextStep);
      expect(said(code).whatToDo).toContain("sent automatically");
    }
  });

  test("that waits for confirmation may arrive twice when it is sent again", () => {
    expect(pending({ pendingReason: "confirmation" })).toMatchObject({
      resend: "may_duplicate",
      isResendable: true,
    });
    expect(pending({ pendingReason: "confirmation", isErased: true })).toMatchObject({ isResendable: false });
  });

  test.each(Object.entries(PAUSE_REASONS))(
    "on a channel paused for %s says so, and what to do",
    (pauseReason, words) => {
      const { whatHappened, whatToDo } = pending({ pendingReason: "channel_paused", pauseReason });
      expect(whatHappened).toContain(words.message);
      expect(whatToDo).toContain(words.remedy);
    },
  );
});
