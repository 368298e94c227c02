import { expect, test } from "vitest";
import type { Inspection } from "./message-panel";
import { type Step, stepsOf } from "./timeline-steps";

type Entry = Inspection["timeline"][number];
type Attempt = Extract<Entry, { kind: "attempt" }>;

const at = "2026-11-26T04:21:16.000Z";
const NOTHING_SAID = { httpStatus: null, code: null, title: null, words: null };
const accepted: Entry = { kind: "accepted", at };

const attempt = (
  number: number,
  outcome: Attempt["outcome"],
  said: Partial<Attempt["said"]> = {},
): Entry => ({
  kind: "attempt",
  at,
  number,
  finishedAt: at,
  outcome,
  said: { ...NOTHING_SAID, ...said },
});
const retry = (ofAttempt: number | null): Entry => ({
  kind: "retry",
  at,
  nextAttemptAt: null,
  ofAttempt,
  said: NOTHING_SAID,
});
const sent = (given: { ofAttempt: number | null; isNews: boolean }): Entry => ({
  kind: "sent",
  at,
  upstreamAt: null,
  source: given.ofAttempt === null ? "callback" : "answer",
  isInferred: false,
  previousState: "queued",
  errorCode: null,
  said: NOTHING_SAID,
  ...given,
});

/** Attempts as their numbers with the kind of their event, other entries as their kind. */
const shortOf = (steps: readonly Step[]) =>
  steps.map((step) =>
    step.kind === "other"
      ? step.entry.kind
      : `${step.attempts.map(({ number }) => number).join("+")} ${step.event?.kind ?? "open"}`,
  );

const limited = { httpStatus: 400, code: 4 };
const LIMITED_TWICE_THEN_SENT = [
  accepted,
  attempt(1, "retry", limited),
  retry(1),
  attempt(2, "retry", limited),
  retry(2),
  attempt(3, "accepted", { httpStatus: 200 }),
  sent({ ofAttempt: 3, isNews: true }),
  sent({ ofAttempt: null, isNews: false }),
];

test("an attempt and its event are one step, and equal attempts in a row are one step", () => {
  expect(shortOf(stepsOf(LIMITED_TWICE_THEN_SENT, false))).toEqual(["accepted", "1+2 retry", "3 sent"]);
});

test("the details have a step for each attempt, and reports that changed nothing", () => {
  expect(shortOf(stepsOf(LIMITED_TWICE_THEN_SENT, true))).toEqual([
    "accepted",
    "1 retry",
    "2 retry",
    "3 sent",
    "sent",
  ]);
});

test.each<[string, Entry, Entry]>([
  ["with another code", attempt(1, "retry", limited), attempt(2, "retry", { code: 2 })],
  ["with another transport error", attempt(1, "retry", { words: "a" }), attempt(2, "retry", { words: "b" })],
  ["where one had a code", attempt(1, "retry"), attempt(2, "retry", limited)],
  ["that is running", attempt(1, "retry", limited), attempt(2, null)],
  ["that ended otherwise", attempt(1, "retry", limited), attempt(2, "rejected", limited)],
])("an attempt %s is a step of its own", (_, one, other) => {
  expect(shortOf(stepsOf([one, other], false))).toEqual(["1 open", "2 open"]);
});

test("another event between equal attempts separates them", () => {
  const report = sent({ ofAttempt: null, isNews: true });
  const entries = [attempt(1, "retry", limited), report, attempt(2, "retry", limited)];
  expect(shortOf(stepsOf(entries, false))).toEqual(["1 open", "sent", "2 open"]);
});

test("an event whose attempt isn't listed is a step of its own", () => {
  expect(shortOf(stepsOf([retry(null), retry(7)], false))).toEqual(["retry", "retry"]);
});

test("a step has one key, with and without details, and no other step has it", () => {
  const report = sent({ ofAttempt: null, isNews: false });
  const entries = [...LIMITED_TWICE_THEN_SENT, report, sent({ ofAttempt: null, isNews: true })];
  const keysOf = (isDetailed: boolean) => stepsOf(entries, isDetailed).map(({ key }) => key);
  const detailed = keysOf(true);
  expect(new Set(detailed).size).toBe(detailed.length);
  expect(detailed).toEqual(expect.arrayContaining(keysOf(false)));
  expect(stepsOf(LIMITED_TWICE_THEN_SENT.slice(0, 3), false)[1]?.key).toBe(keysOf(false)[1]);
});
