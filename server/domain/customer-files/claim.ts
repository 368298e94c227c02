import { randomUUID } from "node:crypto";
import type { Services } from "@/server/core/context";

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
