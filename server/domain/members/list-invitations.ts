import { z } from "zod";
import type { Role } from "@/server/core/actor";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf } from "@/server/core/paging";

export interface InvitationView {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly string[];
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly createdAt: Date;
}

export const listInvitationsInput = z.strictObject(pageInput);

/**
 * Lists open invitations, newest first.
 * @throws WaypostError `permission_denied`; `validation_failed` for a cursor of another list.
 */
export async function listInvitations(args: {
  ctx: Context;
  input: z.output<typeof listInvitationsInput>;
}): Promise<Page<InvitationView>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "members.manage");
  const before = decodeCursor(ctx, "invitations", input.cursor)?.[0] ?? null;
  const rows = await ctx.services.sql<InvitationView[]>`
    select id, email, role, permissions, expires_at as "expiresAt", created_at as "createdAt",
      expires_at <= clock_timestamp() as "isExpired"
    from invitations
    where organization_id = ${ctx.actor.organizationId} and accepted_at is null and revoked_at is null
      and (${before}::uuid is null or id < ${before})
    order by id desc limit ${input.limit + 1}`;
  return pageOf({
    ctx,
    list: "invitations",
    rows,
    limit: input.limit,
    shape: (row) => ({ ...row }),
    position: ({ id }) => [id],
  });
}
