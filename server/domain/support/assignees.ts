import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf } from "@/server/core/paging";

export const listAssigneesInput = z.strictObject(pageInput);

export interface Assignee {
  readonly id: string;
  readonly name: string;
  readonly isYou: boolean;
}

const LIST = "assignees";

/**
 * Lists the members to whom conversations can be assigned, by name only, oldest membership first.
 * @throws WaypostError `permission_denied` without `messages.read`.
 */
export async function listAssignees(args: {
  ctx: Context;
  input: z.output<typeof listAssigneesInput>;
}): Promise<Page<Assignee>> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const after = decodeCursor(ctx, LIST, input.cursor)?.[0] ?? null;
  const self = ctx.actor.kind === "member" ? ctx.actor.memberId : null;
  const rows = await ctx.services.sql<Assignee[]>`
    select m.id, u.name, m.id is not distinct from ${self}::uuid as "isYou"
    from members m join users u on u.id = m.user_id
    where m.organization_id = ${ctx.actor.organizationId} and m.removed_at is null
      and (${after}::uuid is null or m.id > ${after})
    order by m.id limit ${input.limit + 1}`;
  return pageOf({
    ctx,
    list: LIST,
    rows,
    limit: input.limit,
    shape: (row) => ({ ...row }),
    position: ({ id }) => [id],
  });
}
