import type { Services } from "@/server/core/context";
import { removeOldCounts, removeOldRequests } from "./claim";

const BATCH_MAX = 500;
/** What is left then, the next sweep removes. */
const RUN_MS = 10_000;

/**
 * Removes refused requests and their counts when they are older than they are kept: in batches, so that none holds locks
 * for long. Never throws.
 */
export async function sweepRefusals(services: Services): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  try {
    for (const remove of [removeOldRequests, removeOldCounts]) {
      let removed = 1;
      while (removed > 0 && performance.now() < endsAt && !services.isStopping())
        removed = await remove(services.sql, BATCH_MAX);
    }
  } catch (error) {
    services.log.error({ err: error }, "old refused requests could not be removed");
  }
}
