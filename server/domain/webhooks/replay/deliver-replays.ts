import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "@/server/core/context";
import { runningReplaysOf, takeTurn } from "./claim-replays";
import { deliverToEndpoint } from "../deliver/deliver";

/**
 * How often it checks whether there is room again: the remaining due deliveries last longer than that, even for an
 * endpoint that accepts a thousand a second.
 */
const POLL_EVERY_MS = 250;
/** A batch is also an end, so that a step stays short; the wake-ups, or the sweep, do the rest. */
const WORK_MS_MAX = 10_000;
/** A run with fewer calls isn't about a replay, which adds hundreds of deliveries at a time. */
const REPLAY_CALLS_MIN = 10;

/**
 * Makes the due deliveries to an endpoint, while its replays refill the queue as it empties. A problem with a delivery
 * becomes its outcome, and one with a replay is logged: neither is thrown.
 */
export async function deliverWithReplays(services: Services, endpointId: string): Promise<void> {
  const delivered = new AbortController();
  const delivering = deliverToEndpoint(services, endpointId).finally(() => delivered.abort());
  // Most runs are over by then, and need not look for a replay.
  await pause(POLL_EVERY_MS, undefined, { signal: delivered.signal }).catch(() => undefined);
  if (delivered.signal.aborted && (await delivering) < REPLAY_CALLS_MIN) return;
  await Promise.all([delivering, replayMeanwhile(services, endpointId, delivered.signal)]);
}

/** Ends with the deliveries, but not before it has requeued something, which notifies the endpoint again. */
async function replayMeanwhile(
  services: Services,
  endpointId: string,
  delivered: AbortSignal,
): Promise<void> {
  const endsAtMs = performance.now() + WORK_MS_MAX;
  const broken = new Set<string>();
  try {
    while (!services.lifecycle.isStopping() && performance.now() < endsAtMs) {
      const known = await runningReplaysOf(services.sql, endpointId);
      const running = known.filter(({ replayId }) => !broken.has(replayId));
      const { left, failed, count } = await takeTurn(services, running, endsAtMs);
      failed.forEach(({ replayId }) => broken.add(replayId));
      if (delivered.aborted && (count > 0 || left.length === 0)) return;
      if (left.length > 0) continue;
      await pause(POLL_EVERY_MS, undefined, { signal: delivered }).catch(() => undefined);
      if (delivered.aborted && running.length === 0) return;
    }
  } catch (error) {
    services.log.error({ err: error, endpointId }, "webhook replays were interrupted");
  }
}
