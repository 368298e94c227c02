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

test("each of several collections in one turn of the event loop is counted, and none after the end", async () => {
  const metrics = createMetrics();
  const pauses = watchPauses(metrics);
  const minor = () => numberOf(metrics, /^waypost_gc_pause_seconds_count\{kind="minor"\} (\d+)$/m);
  makeGarbage();
  await until("several collections were counted", async () => (await minor()) > 1);
  await pauses.stop();
  const counted = await minor();
  makeGarbage();
  await new Promise(setImmediate);
  expect(await minor()).toBe(counted);
});

/** Fills V8's space for new objects many times over, without giving the event loop a turn. */
function makeGarbage(): void {
  for (let round = 0; round < 30; round += 1) Array.from({ length: 100_000 }, (_, index) => ({ index }));
}
