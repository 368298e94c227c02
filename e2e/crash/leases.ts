import type { Sql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { until } from "@/e2e/support/until";
import { whileAway } from "./fate";

/** A claim of messages. */
const LEASE_SECONDS = 60;

/** Ends what processes that were killed before then held, as if its time were over: nobody has to wait a minute for it. */
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
  // The processes that run now lock the same rows, in an order of their own.
  await until("what the killed processes held is ended", () => retryOnConflict(end).catch(whileAway));
}
