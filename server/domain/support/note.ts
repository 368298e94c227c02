import { z } from "zod";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { TEXT_LENGTH_MAX } from "@/server/domain/messages/model/content-rules";
import { codePoints, isBlank } from "@/server/lib/text";
import { WaypostError } from "@/server/platform/errors";
import { requireConversation } from "./conversation";

export const addNoteInput = z.strictObject({
  threadId: z.string(),
  /** Created by the page with the form: repeated submits store one note. */
  idempotencyToken: z.guid(),
  body: z
    .string()
    .refine((body) => !isBlank(body), "must not be blank")
    .refine((body) => codePoints(body) <= TEXT_LENGTH_MAX, `must have at most ${TEXT_LENGTH_MAX} characters`),
});

export interface AddedNote {
  readonly noteId: string;
  /** The same token has already stored it. */
  readonly isRepeat: boolean;
}

/**
 * Adds an internal note to a conversation. It is never sent, and no API key ever sees it. It doesn't count as activity
 * of the conversation.
 * @throws WaypostError `permission_denied` without `messages.send`; `thread_not_found`; `idempotency_key_reused` if
 * the token stored another note.
 */
export async function addNote(args: {
  ctx: Context;
  input: z.output<typeof addNoteInput>;
}): Promise<AddedNote> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.send");
  const { id: threadId, channelId } = await requireConversation(ctx, input.threadId);
  const { organizationId } = ctx.actor;
  // The token is the note's id, so that the primary key recognizes a repeat.
  const noteId = input.idempotencyToken.toLowerCase();
  const memberId = ctx.actor.kind === "member" ? ctx.actor.memberId : null;
  const content = JSON.stringify({ text: { body: input.body } });
  return ctx.services.sql.begin(async (tx) => {
    const stored = await tx`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, member_id)
      select ${noteId}, v.organization_id, v.id, v.contact_id, v.channel_id, 'note', 'text', ${content}::text::jsonb,
        ${memberId}
      from conversations v
      where v.id = ${threadId} and v.organization_id = ${organizationId} and v.channel_id = ${channelId}
      on conflict (id, organization_id) do nothing returning id`;
    if (stored.length === 0) {
      const [same] = await tx`
        select 1 from messages
        where id = ${noteId} and organization_id = ${organizationId} and kind = 'note'
          and conversation_id = ${threadId} and content = ${content}::text::jsonb`;
      if (same === undefined) throw new WaypostError("idempotency_key_reused", { field: "idempotencyToken" });
      return { noteId, isRepeat: true };
    }
    await recordAuditBySql(tx, ctx, {
      action: "conversation.noted",
      subjectKind: "conversation",
      subjectId: threadId,
      detail: { noteId },
    });
    return { noteId, isRepeat: false };
  });
}
