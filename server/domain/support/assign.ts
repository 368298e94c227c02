import { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { WaypostError } from "@/server/platform/errors";
import { noSuchConversation, requireConversation } from "./conversation";
import type { NamedMember } from "./get";

export const assignConversationInput = z.strictObject({
  threadId: z.string(),
  /** Null for nobody. */
  memberId: z.string().nullable(),
});

/**
 * Assigns a conversation to a member, or to nobody. Idempotent.
 * @throws WaypostError `permission_denied` without `messages.send`; `thread_not_found`; `member_not_found`, the same
 * for an unknown, a removed and another organization's member.
 */
export async function assignConversation(args: {
  ctx: Context;
  input: z.output<typeof assignConversationInput>;
}): Promise<void> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.send");
  const { id } = await requireConversation(ctx, input.threadId);
  const { organizationId } = ctx.actor;
  const memberId = input.memberId?.toLowerCase() ?? null;
  await ctx.services.sql.begin(async (tx) => {
    const to = memberId === null ? null : await requireMember(tx, organizationId, memberId);
    const [before] = await tx<{ id: string | null; name: string | null }[]>`
      select v.assignee_id as id, u.name from conversations v
      left join members b on b.id = v.assignee_id and b.organization_id = v.organization_id
      left join users u on u.id = b.user_id
      where v.id = ${id} and v.organization_id = ${organizationId} for no key update of v`;
    if (before === undefined) throw noSuchConversation();
    if (before.id === memberId) return;
    await tx`
      update conversations set assignee_id = ${memberId}
      where id = ${id} and organization_id = ${organizationId}`;
    await recordAuditBySql(tx, ctx, {
      action: "conversation.assigned",
      subjectKind: "conversation",
      subjectId: id,
      detail: { assignee: { from: before.name, to: to?.name ?? null }, memberId },
    });
  });
}

/** The lock holds off a removal of the member until the assignment is stored. */
async function requireMember(
  tx: TransactionSql,
  organizationId: string,
  memberId: string,
): Promise<NamedMember> {
  const rows = isUuid(memberId)
    ? await tx<NamedMember[]>`
        select m.id, u.name from members m join users u on u.id = m.user_id
        where m.id = ${memberId} and m.organization_id = ${organizationId} and m.removed_at is null
        for share of m`
    : [];
  const [member] = rows;
  if (member === undefined) throw new WaypostError("member_not_found", { field: "memberId" });
  return member;
}
