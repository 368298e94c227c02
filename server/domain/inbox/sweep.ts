import type { Services } from "@/server/core/context";
import { removeOldFromInboxes } from "./claim";

/** Plus up to an hour until the next sweep, so content stays for at most a day. */
const KEPT_HOURS = 23;

const ROWS_MAX = 500;
const RUN_MS = 10_000;

/** Removes webhooks from inboxes after about a day, in batches. Never throws. */
export async function sweepInboxes(services: Services): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  try {
    let removed = ROWS_MAX;
    while (removed === ROWS_MAX && performance.now() < endsAt && !services.lifecycle.isStopping()) {
      removed = await removeOldFromInboxes(services.sql, { hoursMax: KEPT_HOURS, rowsMax: ROWS_MAX });
    }
  } catch (error) {
    services.log.error({ err: error }, "deleting old webhooks in demo inboxes failed");
  }
}
