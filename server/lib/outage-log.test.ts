import { expect, test } from "vitest";
import { createOutageLog, createOutageLogs, type OutageLogWords } from "./outage-log";
import { recordLog } from "@/server/adapters/limits/testing";

const WORDS: OutageLogWords = { level: "error", fails: "fails", isOver: "works", counted: "letThrough" };

test("a store that fails a thousand times is told of once, and its end once, with what went through", () => {
  let nowMs = 0;
  const { log, lines } = recordLog();
  const outageLog = createOutageLog(log, WORDS, { store: "redis" }, () => nowMs);
  outageLog.answered();
  for (let i = 0; i < 1000; i += 1) {
    nowMs += 10;
    outageLog.failed(new Error(`failure ${i}`), 2);
  }
  nowMs += 4_999;
  outageLog.answered();
  expect(lines()).toMatchObject([{ level: "error", store: "redis", err: { message: "failure 0" } }]);
  nowMs += 1;
  outageLog.answered();
  outageLog.answered();
  expect(lines().slice(1)).toMatchObject([{ level: "info", failedForMs: 9_990, letThrough: 2000 }]);
});

test("a store that fails now and then makes two lines in five seconds at most", () => {
  let nowMs = 0;
  const { log, lines } = recordLog();
  const outageLog = createOutageLog(log, WORDS, { store: "redis" }, () => nowMs);
  for (; nowMs < 60_000; nowMs += 100) {
    if ((nowMs / 100) % 2) outageLog.answered();
    else outageLog.failed(new Error("slow"), 1);
  }
  expect(lines()).toHaveLength(1);
  for (; nowMs < 120_000; nowMs += 1_000) {
    if ((nowMs / 1_000) % 6) outageLog.answered();
    else outageLog.failed(new Error("slow"), 1);
  }
  expect(lines().length).toBeLessThanOrEqual(1 + 2 * 12);
});

test("parts fail and work again apart from each other", () => {
  let nowMs = 0;
  const { log, lines } = recordLog();
  const of = createOutageLogs(log, { fails: "fails", isOver: "works" }, () => nowMs);
  of("one").failed(new Error("first"));
  of("other").failed(new Error("second"));
  of("one").failed(new Error("third"));
  nowMs += 5_000;
  of("one").answered();
  expect(lines()).toMatchObject([
    { level: "warn", part: "one", msg: "fails", err: { message: "first" } },
    { level: "warn", part: "other", msg: "fails" },
    { level: "info", part: "one", msg: "works", times: 2 },
  ]);
});
