import type { Services } from "@/server/core/context";

const BATCH_MAX = 500;

/**
 * Removes bytes of files that are gone, of one organization, or of all. It leaves a file to a running attempt, which
 * removes it itself, or whose claim ends. A crash in between leaves the rest to the next call: the hourly sweep makes
 * one.
 */
export async function removeGoneFiles(services: Services, organizationId: string | null): Promise<void> {
  const { sql, customerFiles } = services;
  for (;;) {
    const gone = await sql<{ id: string }[]>`
      select id from customer_files
      where state = 'gone' and may_have_bytes and (claim_token is null or next_attempt_at <= now())
        and (${organizationId}::uuid is null or organization_id = ${organizationId})
      order by id limit ${BATCH_MAX}`;
    if (gone.length === 0) return;
    const ids = gone.map(({ id }) => id);
    for (const id of ids) await customerFiles.remove(id);
    await sql`
      update customer_files set may_have_bytes = false, claim_token = null
      where id = any(${ids}::uuid[]) and state = 'gone'
        and (${organizationId}::uuid is null or organization_id = ${organizationId})`;
  }
}
