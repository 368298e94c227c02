import { afterEach, expect, test, vi } from "vitest";
import { until } from "@/e2e/support/until";
import { createTimers } from "./timers";

afterEach(() => void vi.useRealTimers());

const HOUR_MS = 60 * 60 * 1000;

test.each([
  ["back", -1],
  ["ahead", 1],
])(
  "what is to be done soon is done then, once, though the clock is set an hour %s meanwhile",
  async (_, hours) => {
    const timers = createTimers();
    const startedAtMs = performance.now();
    const doneAfterMs: number[] = [];
    timers.at(Date.now() + 300, () => void doneAfterMs.push(performance.now() - startedAtMs));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * HOUR_MS });
    await until("it is done", () => doneAfterMs.length > 0, { timeoutMs: 5_000 });
    timers.clear();
    expect(doneAfterMs).toHaveLength(1);
    expect(doneAfterMs[0]).toBeGreaterThanOrEqual(299);
  },
);
