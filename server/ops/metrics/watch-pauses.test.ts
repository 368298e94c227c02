import { PerformanceObserver } from "node:perf_hooks";
import { expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { createMetrics, type Metrics } from "@/server/adapters/metrics/metrics";
import { watchPauses } from "./watch-pauses";

const BLOCK_MS = 150;

async function numberOf(metrics: Metrics, line: RegExp): Promise<number> {
  return Number(line.exec(await metrics.text())?.[1]);
}

test("a blocked event loop is one delay above 100 ms", async () => {
  const metrics = createMetrics();
  const pauses = watchPauses(metrics);
  const all = () => numberOf(metrics, /^waypost_event_loop_delay_seconds_count (\d+)$/m);
  const within = () => numberOf(metrics, /^waypost_event_loop_delay_seconds_bucket\{le="0.1"\} (\d+)$/m);
  await until("the loop is measured", async () => (await all()) > 0);
  const longBefore = (await all()) - (await within());
  const endsAtMs = performance.now() + BLOCK_MS;
  while (performance.now() < endsAtMs);
  await until("the delay is measured", async () => (await all()) - (await within()) > longBefore);
  await pauses.stop();
});

test("each collection is counted, also those that are reported together, and none after the end", async () => {
  const metrics = createMetrics();
  const pauses = watchPauses(metrics);
  const reported: number[] = [];
  const observer = new PerformanceObserver((list) => void reported.push(list.getEntries().length));
  observer.observe({ entryTypes: ["gc"] });
  await until("several collections were reported together", () => {
    makeGarbage();
    return reported.some((count) => count > 1);
  });
  await until("each of them is counted", async () => {
    const counted = await allPausesOf(metrics);
    return counted === reported.reduce((sum, count) => sum + count, 0);
  });
  await pauses.stop();
  const counted = await allPausesOf(metrics);
  const lists = reported.length;
  await until("more collections were reported", () => {
    makeGarbage();
    return reported.length > lists;
  });
  observer.disconnect();
  expect(await allPausesOf(metrics)).toBe(counted);
});

async function allPausesOf(metrics: Metrics): Promise<number> {
  const counts = (await metrics.text()).matchAll(/^waypost_gc_pause_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Fills V8's space for new objects many times over, without giving the event loop a turn. */
function makeGarbage(): void {
  for (let round = 0; round < 30; round += 1) Array.from({ length: 100_000 }, (_, index) => ({ index }));
}
