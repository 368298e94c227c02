import type { Sql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { until } from "@/e2e/support/until";
import { whileAway } from "./fate";

/** The lease of a claim. */
const LEASE_SECONDS = 60;

/** Ends the leases of processes that were killed before then, so that nobody waits a minute for them to expire. */
export async function endLeasesOfKilled(sql: Sql, killedAt: Date): Promise<void> {
  const end = () =>
    sql.begin(async (tx) => {
      await tx`update message_attempts set deadline = now() where outcome is null and started_at < ${killedAt}`;
      await tx`
        update messages set claimed_until = now()
        where claim_token is not null and claimed_until < ${killedAt}::timestamptz + make_interval(secs => ${LEASE_SECONDS})`;
      await tx`
        update webhook_deliveries set claimed_until = now()
        where claim_token is not null and last_attempt_at < ${killedAt}`;
      return true;
    });
  // The running processes lock the same rows, in a different order.
  await until("what the killed processes held is ended", () => retryOnConflict(end).catch(whileAway));
}
