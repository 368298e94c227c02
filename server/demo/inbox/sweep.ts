import type { Services } from "../../context";
import { removeOldFromInboxes } from "./claim";

/** Content stands in there: what nobody looked at for a day goes. */
const KEPT_HOURS = 24;

const ROWS_MAX = 500;
const RUN_MS = 10_000;

/** Removes what came to inboxes more than a day ago, in batches. Never throws. */
export async function sweepInboxes(services: Services): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  try {
    let removed = ROWS_MAX;
    while (removed === ROWS_MAX && performance.now() < endsAt && !services.isStopping()) {
      removed = await removeOldFromInboxes(services.sql, { hoursMax: KEPT_HOURS, rowsMax: ROWS_MAX });
    }
  } catch (error) {
    services.log.error({ err: error }, "old webhooks in demo inboxes could not be removed");
  }
}
