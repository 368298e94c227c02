import type { Executor, SqlFragment } from "@/db/client";

/**
 * Subtracted from the due time of a new reaction. It is longer than a message can wait, so a channel's reactions are
 * claimed before its messages.
 */
export const REACTION_LEAD = "1 day";

/**
 * SQL: the ids of queued messages that the reaction `m` may not overtake: the message that it belongs to, even if that
 * one's outcome is unknown, and earlier reactions to the same message.
 */
export const aheadOfReaction = (sql: Executor): SqlFragment => sql`
  select e.id from messages e
  where e.organization_id = m.organization_id and e.id = (m.content->'reaction'->>'message_id')::uuid and e.is_queued
  union all
  select e.id from messages e
  where e.conversation_id = m.conversation_id and e.organization_id = m.organization_id
    and e.is_queued and e.type = 'reaction' and e.accept_seq < m.accept_seq
    and e.in_doubt_since is null
    and (e.content->'reaction'->>'message_id')::uuid = (m.content->'reaction'->>'message_id')::uuid`;
