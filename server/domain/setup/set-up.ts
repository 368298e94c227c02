import { sql } from "drizzle-orm";
import { z } from "zod";
import { members, newId, users } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import type { OpenContext } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { tokenSchema } from "@/server/domain/members/token";
import { checkPasswordIsOwn, insertUser, newUserShape, withPasswordHash } from "@/server/domain/auth/user";
import { insertOrganization, newOrganization } from "@/server/domain/organizations/create";
import { parseInput } from "@/server/core/input/parse-input";
import { nameSchema } from "@/server/lib/text";
import { isSetupToken } from "./first-owner";

/** The lock that lets only one of several requests create the first owner. */
const SETUP_LOCK = 7_262_871;

export const setUpSchema = z
  .strictObject({ ...newUserShape, token: tokenSchema, organizationName: nameSchema })
  .superRefine(checkPasswordIsOwn);

/**
 * Creates the first organization and its owner, once per installation.
 * @throws WaypostError `link_invalid`, also if somebody can already sign in; `validation_failed`.
 */
export async function setUp(args: {
  ctx: OpenContext;
  input: z.input<typeof setUpSchema>;
}): Promise<{ organizationId: string }> {
  const { services, address, requestId } = args.ctx;
  const { token, organizationName, ...user } = parseInput(setUpSchema, args.input);
  if (!isSetupToken(services, token)) throw new WaypostError("link_invalid");
  const prepared = await withPasswordHash(services, user);
  const organization = newOrganization(services, { name: organizationName, isDemo: false });
  return services.orm.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SETUP_LOCK})`);
    const [anybody] = await tx.select({ id: users.id }).from(users).limit(1);
    const userId = anybody ? null : await insertUser(tx, prepared);
    if (userId === null) throw new WaypostError("link_invalid");
    const organizationId = organization.id;
    const memberId = newId();
    const rights = { role: "owner", permissions: [] } as const;
    const actor = { kind: "member", organizationId, memberId, userId, address, ...rights } as const;
    const ctx = { services, actor, requestId };
    await insertOrganization(tx, ctx, organization);
    await tx
      .insert(members)
      .values({ id: memberId, organizationId, userId, role: rights.role, permissions: [] });
    await recordAudit(tx, ctx, {
      action: "member.created",
      subjectKind: "member",
      subjectId: memberId,
      detail: { email: user.email, ...rights },
    });
    return { organizationId };
  });
}
