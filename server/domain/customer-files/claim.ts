import { randomUUID } from "node:crypto";
import type { Services } from "@/server/core/context";

/** Maximum concurrent downloads of one channel in a process. */
export const OF_CHANNEL_MAX = 8;

/** Longer than the time limits of a download and of storing its file together. */
const CLAIM_MINUTES = 12;

/** A file that this process may fetch, until its claim ends. */
export interface ClaimedFile {
  readonly id: string;
  readonly organizationId: string;
  readonly messageId: string;
  readonly claimToken: string;
  readonly mediaId: string;
  /** Started attempts, including this one. */
  readonly attempts: number;
  readonly channel: {
    readonly id: string;
    readonly upstream: "meta" | "simulator";
    readonly phoneNumberId: string;
    readonly accessTokenEncrypted: string;
  };
  /** From the message. They needn't be true. */
  readonly declared: {
    readonly mimeType: string | null;
    readonly sha256: string | null;
    readonly filename: string | null;
  };
}

/**
 * Claims a file if it is due: only its attempt may store it. The claim of a process that died ends by itself.
 * @param busyChannelIds channels whose files must wait.
 * @returns null if the file isn't due, or must wait.
 */
export async function claimFile(
  { sql }: Services,
  fileId: string,
  busyChannelIds: readonly string[],
): Promise<ClaimedFile | null> {
  const claimToken = randomUUID();
  const [row] = await sql<Omit<ClaimedFile, "claimToken">[]>`
    with due as materialized (
      select id from customer_files
      where id = ${fileId} and state = 'pending' and next_attempt_at <= now()
        and channel_id <> all(${[...busyChannelIds]}::uuid[])
      for update skip locked
    )
    update customer_files f set attempts = f.attempts + 1, claim_token = ${claimToken}, may_have_bytes = true,
      next_attempt_at = now() + make_interval(mins => ${CLAIM_MINUTES})
    from due, channels c, messages m
    where f.id = due.id and c.id = f.channel_id and c.organization_id = f.organization_id
      and m.id = f.message_id and m.organization_id = f.organization_id
    returning f.id, f.organization_id as "organizationId", f.message_id as "messageId", f.media_id as "mediaId",
      f.attempts, json_build_object('id', c.id, 'upstream', c.upstream, 'phoneNumberId', c.phone_number_id,
        'accessTokenEncrypted', c.access_token_encrypted) as channel,
      json_build_object('mimeType', m.content #>> '{media,mime_type}', 'sha256', m.content #>> '{media,sha256}',
        'filename', m.content #>> '{media,filename}') as declared`;
  return row ? { ...row, claimToken } : null;
}

/**
 * Returns files that are due to be fetched, of all organizations. A channel with fewer downloads comes first. Costs one
 * index lookup per channel, however many files wait.
 * @param busy the channels of running downloads, one entry for each download.
 */
export async function dueFiles(
  { sql }: Services,
  { busy, filesMax }: { readonly busy: readonly string[]; readonly filesMax: number },
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive waiting as (
      (select channel_id from customer_files where state = 'pending' order by channel_id limit 1)
      union all
      select (select f.channel_id from customer_files f
        where f.state = 'pending' and f.channel_id > w.channel_id order by f.channel_id limit 1)
      from waiting w where w.channel_id is not null
    )
    select due.id from waiting w, lateral (
      select count(*) as downloads from unnest(${[...busy]}::uuid[]) b where b = w.channel_id) running, lateral (
      select f.id, f.next_attempt_at, row_number() over (order by f.next_attempt_at) as place from customer_files f
      where f.channel_id = w.channel_id and f.state = 'pending' and f.next_attempt_at <= now()
      order by f.next_attempt_at limit greatest(0, ${OF_CHANNEL_MAX} - running.downloads)) due
    order by running.downloads + due.place, due.next_attempt_at limit ${filesMax}`;
  return rows.map(({ id }) => id);
}
