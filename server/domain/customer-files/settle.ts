import type { StagedFile } from "@/server/adapters/files/store";
import type { Services } from "@/server/core/context";
import type { ClaimedFile } from "./claim";

/** Delays after the first failures. WhatsApp's address of a file is new with each attempt. */
const BACKOFF_SECONDS = [5, 30, 120, 600, 1_800, 3_600] as const;
const BACKOFF_SECONDS_MAX = 7_200;

/** Customers' files may take this part of the quota, so that nobody can use up an organization's room for uploads. */
const QUOTA_DIVISOR = 2;

/** The failure of a file that has no room in the quota. */
export const NO_ROOM = "the organization's quota for customers' files is used up";

/** A condition about `organizations`: the quota has room for that many bytes of customers' files. */
const hasRoomFor = (sql: Services["sql"], bytes: number) => sql`
  uploaded_bytes + ${bytes}::bigint <= upload_quota_bytes
    and customer_file_bytes + ${bytes}::bigint <= upload_quota_bytes / ${QUOTA_DIVISOR}::int`;

/** Returns true if the organization's quota has room for that many bytes. An early check; `keepFile` makes the final one. */
export async function hasRoom({ sql }: Services, file: ClaimedFile, bytes: number): Promise<boolean> {
  const [room] = await sql`
    select from organizations
    where id = ${file.organizationId} and ${hasRoomFor(sql, bytes)}`;
  return room !== undefined;
}

/**
 * Stores a file under its row's id, and then in its row. The bytes are there first, so that no stored row is without
 * them. A file that was erased meanwhile is removed by `removeGoneFiles`; one that another attempt stored stays.
 * @returns false if the organization's quota has no room for it.
 */
export async function keepFile(
  { sql, customerFiles }: Services,
  { id, organizationId, claimToken }: ClaimedFile,
  { staged, mimeType }: { staged: StagedFile; mimeType: string },
): Promise<boolean> {
  const [mine] = await sql`
    select from customer_files
    where id = ${id} and organization_id = ${organizationId} and claim_token = ${claimToken} and state = 'pending'`;
  if (!mine) return true;
  await staged.keep(id);
  const [row] = await sql<{ isMine: boolean; isStored: boolean }[]>`
    with mine as materialized (
      select id from customer_files
      where id = ${id} and organization_id = ${organizationId} and claim_token = ${claimToken} and state = 'pending'
      for update
    ), room as (
      update organizations set uploaded_bytes = uploaded_bytes + ${staged.size}::bigint,
        customer_file_bytes = customer_file_bytes + ${staged.size}::bigint
      where id = ${organizationId} and exists (select from mine) and ${hasRoomFor(sql, staged.size)}
      returning id
    ), stored as (
      update customer_files f set state = 'stored', mime_type = ${mimeType}, size = ${staged.size}::bigint,
        sha256 = ${staged.sha256}, stored_at = now(), claim_token = null, failure = null
      from room, mine where f.id = mine.id
      returning f.id
    )
    select exists (select from mine) as "isMine", exists (select from stored) as "isStored"`;
  if (row?.isStored) return true;
  if (row?.isMine) {
    await customerFiles.remove(id);
    return false;
  }
  await sql`
    update customer_files set may_have_bytes = true
    where id = ${id} and organization_id = ${organizationId} and state = 'gone'`;
  return true;
}

/** Ends the claim of an attempt that has ended, so that what it left of an erased file can be removed. */
export async function endClaim(
  { sql }: Services,
  { id, organizationId, claimToken }: ClaimedFile,
): Promise<void> {
  await sql`
    update customer_files set claim_token = null
    where id = ${id} and organization_id = ${organizationId} and claim_token = ${claimToken}`;
}

/** Makes a file due again later; or gone, if WhatsApp no longer keeps it. */
export async function putOff({ sql }: Services, file: ClaimedFile, failure: string): Promise<void> {
  const seconds = BACKOFF_SECONDS[file.attempts - 1] ?? BACKOFF_SECONDS_MAX;
  await sql`
    update customer_files set failure = ${failure}, claim_token = null,
      state = case when expires_at <= now() then 'gone' else 'pending' end,
      gone_reason = case when expires_at <= now() then ${failure === NO_ROOM ? "no_room" : "expired"} end,
      next_attempt_at = now() + make_interval(secs => ${seconds})
    where ${isMine(sql, file)}`;
}

/** Makes a file due now, for another process. The attempt doesn't count. */
export async function release({ sql }: Services, file: ClaimedFile): Promise<void> {
  await sql`
    update customer_files set claim_token = null, attempts = attempts - 1, next_attempt_at = now()
    where ${isMine(sql, file)}`;
}

/**
 * Ends the attempts for a file that can't be fetched. If it had no room before WhatsApp said that it has expired, that is
 * the reason.
 */
export async function giveUp(
  { sql }: Services,
  file: ClaimedFile,
  { reason, failure }: { reason: "expired" | "too_large"; failure: string },
): Promise<void> {
  await sql`
    update customer_files set state = 'gone', failure = ${failure}, claim_token = null,
      gone_reason = case when ${reason} = 'expired' and failure = ${NO_ROOM} then 'no_room' else ${reason} end
    where ${isMine(sql, file)}`;
}

const isMine = (sql: Services["sql"], { id, organizationId, claimToken }: ClaimedFile) => sql`
  id = ${id} and organization_id = ${organizationId} and claim_token = ${claimToken} and state = 'pending'`;
