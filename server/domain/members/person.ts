import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { members, users } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import type { AuditAction } from "@/server/core/audit/actions";
import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { emailSchema } from "@/server/domain/auth/user";

export const emailOfAccount = z.strictObject({ email: emailSchema });

/**
 * Changes somebody's account, and records it in the audit log of each of their organizations, in one transaction. If
 * nothing changes, nothing is recorded.
 * @returns the user's id.
 * @throws WaypostError `validation_failed` for an address without an account.
 */
export async function recordForPerson(
  services: Services,
  { email, job, action }: { email: string; job: string; action: AuditAction },
  act: (tx: OrmTransaction, userId: string) => Promise<"nothing to do" | void>,
): Promise<string> {
  return services.orm.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, email));
    if (!user) {
      throw new WaypostError("validation_failed", {
        field: "email",
        message: "`email` doesn't belong to an account.",
      });
    }
    if ((await act(tx, user.id)) === "nothing to do") return user.id;
    const memberships = await tx
      .select({ id: members.id, organizationId: members.organizationId })
      .from(members)
      .where(and(eq(members.userId, user.id), isNull(members.removedAt)));
    for (const { id, organizationId } of memberships) {
      const actor = { kind: "system", organizationId, job } as const;
      await recordAudit(
        tx,
        { services, actor, requestId: null },
        { action, subjectKind: "member", subjectId: id, detail: { email } },
      );
    }
    return user.id;
  });
}
