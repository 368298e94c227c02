import { z } from "zod";
import type { Executor, SqlFragment } from "@/db/client";
import { windowOpenUntil } from "./customer-window";

const THREAD_EXAMPLE = {
  thread_id: "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
  contact_id: "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
  channel_id: "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
  state: "open",
  assignee_id: null,
  window: { open: true, expires_at: "2026-02-01T12:02:10.000Z" },
  last_message_at: "2026-01-31T12:02:10.000Z",
} as const;

const moment = z.iso.datetime().meta({ description: "RFC 3339, UTC" });

export const threadOutput = z
  .object({
    thread_id: z.guid(),
    contact_id: z.guid().meta({
      description: "The contact. If it was merged into another one, that one",
    }),
    channel_id: z.guid(),
    state: z.enum(["open", "closed"]).meta({
      description: "As your staff set it. You can send to a closed conversation; it stays closed",
    }),
    assignee_id: z
      .guid()
      .nullable()
      .meta({ description: "The member who is responsible. Null if nobody is" }),
    window: z
      .object({
        open: z.boolean().meta({ description: "True if messages other than templates can be sent now" }),
        expires_at: moment.nullable().meta({ description: "Until when. Null if the window is closed" }),
      })
      .meta({ id: "CustomerWindow", description: "The customer service window of the conversation" }),
    last_message_at: moment.nullable().meta({
      description:
        "When the last message of either direction was accepted or received. Null if there is none",
    }),
  })
  .meta({
    id: "Thread",
    description: "A conversation: one contact on one channel",
    examples: [THREAD_EXAMPLE],
  });

export type Thread = z.infer<typeof threadOutput>;

export interface ThreadRow {
  readonly id: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly status: "open" | "closed";
  readonly assigneeId: string | null;
  readonly windowOpenUntil: Date | null;
  readonly lastMessageAt: Date | null;
}

/** SQL: the columns of `ThreadRow`, of the conversation `v` on the channel `c` with the contact `k`. */
export const threadColumns = (sql: Executor): SqlFragment => sql`
  v.id, coalesce(k.merged_into, k.id) as "contactId", v.channel_id as "channelId", v.status,
  v.assignee_id as "assigneeId", ${windowOpenUntil(sql)} as "windowOpenUntil", v.last_message_at as "lastMessageAt"`;

/**
 * SQL: the id of the conversation that the conversation `v` of the contact `k` continues in. Null if `k` wasn't merged,
 * or if the contact that remains has no other conversation on the channel.
 */
export const continuedIn = (sql: Executor, v = sql`v`, k = sql`k`): SqlFragment => sql`
  (select n.id from conversations n where n.organization_id = ${v}.organization_id
    and n.contact_id = ${k}.merged_into and n.channel_id = ${v}.channel_id)`;

/**
 * SQL: whether lists show the conversation `v`: its contact isn't erased, and it doesn't continue in another one. A
 * subquery, so that the planner keeps to the order of the list.
 */
export const isListed = (sql: Executor): SqlFragment => sql`
  (select k.erased_at is null and ${continuedIn(sql)} is null from contacts k
    where k.id = v.contact_id and k.organization_id = v.organization_id)`;

/** A conversation as the public API shows it. */
export function threadShape(row: ThreadRow): Thread {
  const expiresAt = row.windowOpenUntil?.toISOString() ?? null;
  return {
    thread_id: row.id,
    contact_id: row.contactId,
    channel_id: row.channelId,
    state: row.status,
    assignee_id: row.assigneeId,
    window: { open: expiresAt !== null, expires_at: expiresAt },
    last_message_at: row.lastMessageAt?.toISOString() ?? null,
  };
}
