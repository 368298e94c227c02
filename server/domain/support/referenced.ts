import { z } from "zod";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { previewOf } from "@/server/domain/messages/read/preview";
import type { MessageKind } from "./timeline-rows";

/** Names an earlier message: by Waypost's id in messages that are sent, by WhatsApp's in those that are received. */
export interface Reference {
  readonly messageId: string | null;
  readonly upstreamId: string | null;
}

/** The message that a reference names. */
export interface Referenced {
  readonly id: string;
  readonly threadId: string;
  readonly kind: MessageKind;
  readonly type: string;
  readonly preview: string | null;
  readonly isErased: boolean;
  readonly upstreamId: string | null;
}

const pointer = z.object({ message_id: z.string().nullish(), upstream_id: z.string().nullish() });
const pointing = z
  .object({
    reply_to: pointer.nullish(),
    reaction: pointer.nullish(),
    revokes: pointer.nullish(),
    edits: pointer.nullish(),
  })
  .catch({});

/** The message that a content quotes. */
export function quotedBy(content: unknown): Reference | null {
  return referenceIn(pointing.parse(content).reply_to);
}

/** The message that a content reacts to, withdraws or changes: it belongs to that one's bubble. */
export function aboutOther(content: unknown): Reference | null {
  const { reaction, revokes, edits } = pointing.parse(content);
  return referenceIn(reaction) ?? referenceIn(revokes) ?? referenceIn(edits);
}

function referenceIn(named: z.output<typeof pointer> | null | undefined): Reference | null {
  const messageId = named?.message_id ?? null;
  const upstreamId = named?.upstream_id ?? null;
  if (messageId === null && upstreamId === null) return null;
  return { messageId: messageId !== null && isUuid(messageId) ? messageId.toLowerCase() : null, upstreamId };
}

/** Finds the messages that references name, of the organization and, by WhatsApp's id, of the channel. */
export async function findReferenced(
  { services, actor }: Context,
  channelId: string,
  references: readonly Reference[],
): Promise<(reference: Reference) => Referenced | null> {
  const { sql } = services;
  const ids = distinct(references.map(({ messageId }) => messageId));
  const upstreamIds = distinct(references.map(({ upstreamId }) => upstreamId));
  if (ids.length + upstreamIds.length === 0) return () => null;
  const columns = sql`m.id, m.conversation_id as "threadId", m.kind, m.type, ${previewOf(sql)} as preview,
    m.erased_at is not null as "isErased", m.upstream_id as "upstreamId"`;
  const rows = await sql<Referenced[]>`
    select ${columns} from messages m
    where m.id = any(${ids}::uuid[]) and m.organization_id = ${actor.organizationId} and m.kind <> 'note'
    union all
    select ${columns} from messages m
    where m.channel_id = ${channelId} and m.upstream_id = any(${upstreamIds}::text[]) and m.upstream_id is not null
      and m.organization_id = ${actor.organizationId}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byUpstreamId = new Map(rows.map((row) => [row.upstreamId, row]));
  return ({ messageId, upstreamId }) =>
    (messageId === null ? undefined : byId.get(messageId)) ??
    (upstreamId === null ? undefined : byUpstreamId.get(upstreamId)) ??
    null;
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}
