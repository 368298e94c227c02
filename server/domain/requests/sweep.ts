import type { Services } from "@/server/core/context";
import { removeOldCounts, removeOldRequests } from "./claim";

const BATCH_MAX = 500;
/** The next sweep removes the rest. */
const RUN_MS = 10_000;

/**
 * Removes refused requests and their counts past the retention time: in batches, so that none holds locks for long.
 * Never throws.
 */
export async function sweepRefusals(services: Services): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  try {
    for (const remove of [removeOldRequests, removeOldCounts]) {
      let removed = 1;
      while (removed > 0 && performance.now() < endsAt && !services.lifecycle.isStopping())
        removed = await remove(services.sql, BATCH_MAX);
    }
  } catch (error) {
    services.log.error({ err: error }, "old refused requests could not be removed");
  }
}
