import { z } from "zod";
import { ABOUT_TARGET, ABOUT_TYPES, type DeliveryState } from "@/db/schema";
import type { Context } from "@/server/core/context";

/** A reaction as it is now: a later one of the same side replaces it, in whatever order the callbacks came. */
export interface Reaction {
  readonly by: "customer" | "us";
  readonly emoji: string;
  /** Of ours: null for one of the API. */
  readonly memberName: string | null;
  /** Of ours: queued until WhatsApp took it. */
  readonly state: DeliveryState | null;
}

/** What later messages did to a message. */
export interface Aftermath {
  readonly reactions: readonly Reaction[];
  /** When the customer deleted it. */
  readonly deletedAt: Date | null;
  /** When the customer last changed it, and what it says since. */
  readonly edit: { readonly at: Date; readonly body: string | null } | null;
}

export const UNTOUCHED: Aftermath = { reactions: [], deletedAt: null, edit: null };

interface AboutRow {
  readonly messageId: string;
  readonly kind: "outbound" | "inbound";
  readonly content: Readonly<Record<string, unknown>>;
  readonly memberName: string | null;
  readonly state: DeliveryState | null;
  readonly createdAt: Date;
}

/** Somebody may change a reaction any number of times. The newest decide. */
const EXAMINED_MAX = 20;

/** Returns what later messages did to messages of a conversation, by their ids; one lookup for each message. */
export async function findAftermaths(
  { services, actor }: Context,
  threadId: string,
  messages: readonly { readonly id: string; readonly upstreamId: string | null }[],
): Promise<ReadonlyMap<string, Aftermath>> {
  const { sql } = services;
  const names = messages.flatMap(({ id, upstreamId }) => [
    { id, name: id },
    ...(upstreamId === null ? [] : [{ id, name: upstreamId }]),
  ]);
  if (names.length === 0) return new Map();
  const rows = await sql<AboutRow[]>`
    select n.id as "messageId", a.kind, a.content, a.state, a.created_at as "createdAt", u.name as "memberName"
    from unnest(${names.map(({ id }) => id)}::uuid[], ${names.map(({ name }) => name)}::text[]) as n (id, name)
    cross join lateral (
      select m.* from messages m
      where m.conversation_id = ${threadId} and m.organization_id = ${actor.organizationId}
        and ${sql.unsafe(ABOUT_TYPES)} and ${sql.unsafe(ABOUT_TARGET)} = n.name
      order by m.accept_seq desc limit ${EXAMINED_MAX}) a
    left join members b on b.id = a.member_id and b.organization_id = a.organization_id
    left join users u on u.id = b.user_id
    order by coalesce(a.upstream_at, a.created_at) desc, a.accept_seq desc`;
  const about = new Set(rows.map(({ messageId }) => messageId));
  return new Map([...about].map((id) => [id, aftermathOf(rows.filter(({ messageId }) => messageId === id))]));
}

const aboutContent = z
  .object({
    reaction: z.object({ emoji: z.string().nullish() }).optional(),
    revokes: z.unknown().optional(),
    edits: z
      .object({
        content: z
          .object({
            text: z.object({ body: z.string() }).optional(),
            media: z.object({ caption: z.string().optional() }).optional(),
          })
          .optional(),
      })
      .optional(),
  })
  .catch({});

/** @param rows newest first. */
function aftermathOf(rows: readonly AboutRow[]): Aftermath {
  const parsed = rows.map((row) => ({ row, content: aboutContent.parse(row.content) }));
  const ours = parsed.find(
    ({ row, content }) => row.kind === "outbound" && content.reaction && row.state !== "failed",
  );
  const theirs = parsed.find(({ row, content }) => row.kind === "inbound" && content.reaction);
  const edit = parsed.find(({ row, content }) => row.kind === "inbound" && content.edits);
  const revoke = parsed.find(({ row, content }) => row.kind === "inbound" && content.revokes !== undefined);
  const text = edit?.content.edits?.content;
  return {
    reactions: [theirs, ours].flatMap((one) => {
      const emoji = one?.content.reaction?.emoji ?? "";
      if (one === undefined || emoji === "") return [];
      const { kind, memberName, state } = one.row;
      return [{ by: kind === "inbound" ? "customer" : "us", emoji, memberName, state } as const];
    }),
    deletedAt: revoke?.row.createdAt ?? null,
    edit: edit ? { at: edit.row.createdAt, body: text?.text?.body ?? text?.media?.caption ?? null } : null,
  };
}
