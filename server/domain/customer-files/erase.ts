import type { TransactionSql } from "@/db/client";

/**
 * Erases the files of messages in the messages' transaction, also those that are still being fetched. They no longer
 * count against the organization's quota. After the commit, `removeGoneFiles` removes the bytes. Idempotent.
 */
export async function eraseFilesIn(
  tx: TransactionSql,
  organizationId: string,
  messageIds: readonly string[],
): Promise<void> {
  await tx`
    with old as materialized (
      select id, size from customer_files
      where organization_id = ${organizationId} and message_id = any(${[...messageIds]}::uuid[])
        and gone_reason is distinct from 'erased'
      order by id for update
    ), erased as (
      update customer_files f set state = 'gone', gone_reason = 'erased', media_id = null, failure = null,
        mime_type = null, size = null, sha256 = null
      from old where f.id = old.id
      returning old.size
    )
    update organizations set uploaded_bytes = greatest(0, uploaded_bytes - e.bytes),
      customer_file_bytes = greatest(0, customer_file_bytes - e.bytes)
    from (select sum(size)::bigint as bytes from erased) e
    where id = ${organizationId} and e.bytes > 0`;
}
