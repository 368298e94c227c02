import type { Services } from "@/server/core/context";

const BATCH_MAX = 500;
/** After this many failures, the store is left alone. Each can take half a minute. */
const FAILURES_MAX = 3;

/**
 * Removes bytes of files that are gone, of one organization, or of all. It leaves a file to a running attempt, which
 * removes it itself, or whose claim ends. A crash in between and a failure of the store, which is logged, leave the rest
 * to the next call: the hourly sweep makes one.
 */
export async function removeGoneFiles(services: Services, organizationId: string | null): Promise<void> {
  const { sql, log } = services;
  let failures = 0;
  for (let after: string | null = null; failures < FAILURES_MAX;) {
    const ids: readonly string[] = await removableFiles(services, organizationId, after);
    const last = ids.at(-1);
    if (last === undefined) return;
    const removed: string[] = [];
    for (const id of ids) {
      if (failures === FAILURES_MAX) break;
      try {
        await services.customerFiles.remove(id);
        removed.push(id);
      } catch (error) {
        failures += 1;
        log.error({ err: error, fileId: id, organizationId }, "a customer's file couldn't be removed yet");
      }
    }
    await sql`
      update customer_files set may_have_bytes = false, claim_token = null
      where id = any(${removed}::uuid[]) and state = 'gone'
        and (${organizationId}::uuid is null or organization_id = ${organizationId})`;
    after = last;
  }
}

async function removableFiles(
  { sql }: Services,
  organizationId: string | null,
  after: string | null,
): Promise<readonly string[]> {
  const gone = await sql<{ id: string }[]>`
    select id from customer_files
    where state = 'gone' and may_have_bytes and (claim_token is null or next_attempt_at <= now())
      and (${organizationId}::uuid is null or organization_id = ${organizationId})
      and (${after}::uuid is null or id > ${after})
    order by id limit ${BATCH_MAX}`;
  return gone.map(({ id }) => id);
}

/** Removes what crashes left of customers' files: bytes of erased ones, and incomplete downloads. Never throws. */
export async function sweepCustomerFiles(services: Services): Promise<void> {
  try {
    await services.customerFiles.removeAbandoned();
    await removeGoneFiles(services, null);
  } catch (error) {
    services.log.error({ err: error }, "the sweep of customers' files failed");
  }
}
