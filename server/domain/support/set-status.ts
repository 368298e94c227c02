import type { z } from "zod";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { noSuchConversation, requireConversation } from "./conversation";
import type { conversationIdInput } from "./get";

type Input = z.output<typeof conversationIdInput>;

/**
 * Closes a conversation. New messages of either direction leave it closed. Idempotent.
 * @throws WaypostError `permission_denied` without `messages.send`; `thread_not_found`.
 */
export async function closeConversation({ ctx, input }: { ctx: Context; input: Input }): Promise<void> {
  await setStatus(ctx, input, "closed");
}

/**
 * Reopens a closed conversation. Idempotent.
 * @throws WaypostError `permission_denied` without `messages.send`; `thread_not_found`.
 */
export async function reopenConversation({ ctx, input }: { ctx: Context; input: Input }): Promise<void> {
  await setStatus(ctx, input, "open");
}

async function setStatus(ctx: Context, { threadId }: Input, status: "open" | "closed"): Promise<void> {
  requireMemberCapability(ctx.actor, "messages.send");
  const { id } = await requireConversation(ctx, threadId);
  const { organizationId } = ctx.actor;
  await ctx.services.sql.begin(async (tx) => {
    const [before] = await tx<{ status: string }[]>`
      select status from conversations
      where id = ${id} and organization_id = ${organizationId} for no key update`;
    if (before === undefined) throw noSuchConversation();
    if (before.status === status) return;
    await tx`
      update conversations set status = ${status} where id = ${id} and organization_id = ${organizationId}`;
    await recordAuditBySql(tx, ctx, {
      action: status === "closed" ? "conversation.closed" : "conversation.reopened",
      subjectKind: "conversation",
      subjectId: id,
      detail: { status: { from: before.status, to: status } },
    });
  });
}
