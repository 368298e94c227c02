import { randomUUID } from "node:crypto";
import type { Services } from "@/server/core/context";
import { fromNow } from "@/server/core/queue/drain";
import type { CallableChannel } from "@/server/domain/channels/caller";

/** Maximum number of a channel's marks that are handed over at once. */
const CLAIM_MAX = 8;
/** Longer than a call and storing its outcome take. Then another process may claim the mark again. */
const LEASE_SECONDS = 45;
/** WhatsApp takes no mark of an older message. */
export const MARKABLE_DAYS = 30;
/** WhatsApp shows the typing indicator for this long, so it is of no use later. */
const TYPING_SECONDS = 25;
/** A mark that WhatsApp doesn't take for this long is given up. */
const GIVEN_UP_AFTER_HOURS = 24;

/** A mark that this process may hand over until its lease ends. */
export interface ClaimedMark {
  readonly conversationId: string;
  readonly organizationId: string;
  readonly claimToken: string;
  /** Calls since it was last requested, including this one. A request in the meantime resets it. */
  readonly attempts: number;
  readonly isTyping: boolean;
  /** WhatsApp's id of the message. Null if it can't be marked any more. */
  readonly upstreamId: string | null;
  readonly isTooLate: boolean;
  readonly channel: CallableChannel;
}

/**
 * Claims due marks of a channel, the oldest request first. None of a paused or disabled channel. A claim that no
 * outcome ends, because its process died, ends by itself.
 */
export async function claimMarks({ sql }: Services, channelId: string): Promise<ClaimedMark[]> {
  return sql<ClaimedMark[]>`
    with due as (
      select r.conversation_id from read_marks r
      where r.channel_id = ${channelId} and r.is_pending and r.next_attempt_at <= (select clock_timestamp())
        and (r.claimed_until is null or r.claimed_until < clock_timestamp())
        and exists (select from channels c where c.id = ${channelId} and c.paused_at is null and c.disabled_at is null)
      order by r.next_attempt_at limit ${CLAIM_MAX} for update of r skip locked
    ), claimed as (
      update read_marks r set claim_token = ${randomUUID()}, attempts = r.attempts + 1,
        claimed_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from due where r.conversation_id = due.conversation_id
      returning r.*
    )
    select r.conversation_id as "conversationId", r.organization_id as "organizationId",
      r.claim_token as "claimToken", r.attempts,
      coalesce(r.typing_at > clock_timestamp() - make_interval(secs => ${TYPING_SECONDS}), false) as "isTyping",
      case when m.erased_at is null and m.created_at > clock_timestamp() - make_interval(days => ${MARKABLE_DAYS})
        then m.upstream_id end as "upstreamId",
      r.requested_at < clock_timestamp() - make_interval(hours => ${GIVEN_UP_AFTER_HOURS}) as "isTooLate",
      json_build_object('id', c.id, 'upstream', c.upstream, 'phoneNumberId', c.phone_number_id,
        'accessTokenEncrypted', c.access_token_encrypted) as channel
    from claimed r join messages m on m.id = r.message_id and m.organization_id = r.organization_id
    join channels c on c.id = r.channel_id and c.organization_id = r.organization_id`;
}

/** Returns when the channel's next mark becomes due, by this process's clock; null if none waits, or the channel takes none. */
export async function nextMarkAt({ sql }: Services, channelId: string): Promise<Date | null> {
  const [row] = await sql<{ waitMs: number | null }[]>`
    select (extract(epoch from greatest(r.next_attempt_at, r.claimed_until) - clock_timestamp()) * 1000)::float8 as "waitMs"
    from read_marks r join channels c on c.id = r.channel_id and c.organization_id = r.organization_id
    where r.channel_id = ${channelId} and r.is_pending and c.paused_at is null and c.disabled_at is null
    order by greatest(r.next_attempt_at, r.claimed_until) limit 1`;
  return fromNow(row?.waitMs ?? null);
}
