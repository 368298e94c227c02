import { z } from "zod";
import type { Role } from "@/server/core/actor";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf } from "@/server/core/paging";

export const listMembersInput = z.strictObject(pageInput);

export interface MemberView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly string[];
  readonly hasTwoFactor: boolean;
  /** Accurate to about a day; null if never, or not within the last session. */
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
  readonly isYou: boolean;
}

/** Lists the organization's members, oldest membership first. @throws WaypostError `permission_denied`. */
export async function listMembers(args: {
  ctx: Context;
  input: z.output<typeof listMembersInput>;
}): Promise<Page<MemberView>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "members.manage");
  const after = decodeCursor(ctx, "members", input.cursor)?.[0] ?? null;
  const self = ctx.actor.kind === "member" ? ctx.actor.memberId : null;
  const rows = await ctx.services.sql<MemberView[]>`
    select m.id, u.name, u.email, m.role, m.permissions, u.two_factor_enabled as "hasTwoFactor",
      (select max(s.updated_at) from sessions s where s.user_id = u.id) as "lastSeenAt",
      m.created_at as "createdAt", m.id is not distinct from ${self}::uuid as "isYou"
    from members m join users u on u.id = m.user_id
    where m.organization_id = ${ctx.actor.organizationId} and m.removed_at is null
      and (${after}::uuid is null or m.id > ${after})
    order by m.id limit ${input.limit + 1}`;
  return pageOf({
    ctx,
    list: "members",
    rows,
    limit: input.limit,
    shape: (row) => ({ ...row }),
    position: ({ id }) => [id],
  });
}
