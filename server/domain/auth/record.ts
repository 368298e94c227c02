import { eq, and, isNull } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { members, verifications } from "@/db/schema";
import type { MemberActor } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import type { Context, Services } from "@/server/core/context";
import { forgetPlaces } from "./places";

/** A change by a person to their own account. */
export type AccountAction =
  | "member.signed_in"
  | "member.renamed"
  | "member.password_changed"
  | "member.two_factor_enabled"
  | "member.two_factor_disabled"
  | "member.recovery_codes_renewed"
  | "member.sessions_revoked";

/** Actions that end every unfinished process. */
const ENDS_BEGUN: readonly AccountAction[] = [
  "member.password_changed",
  "member.two_factor_enabled",
  "member.two_factor_disabled",
  "member.recovery_codes_renewed",
  "member.sessions_revoked",
];

/**
 * Records an act on an account in the audit log of every organization of the person, and ends the unfinished processes
 * that the act invalidates.
 */
export async function recordAccountAct(services: Services, act: RecordedAct): Promise<void> {
  await services.orm.transaction((tx) => recordAccountActIn(tx, services, act));
}

interface RecordedAct {
  readonly userId: string;
  readonly address: string | null;
  readonly action: AccountAction;
  /** Values before and after, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The same, within the transaction of the act. */
export async function recordAccountActIn(
  tx: OrmTransaction,
  services: Services,
  { userId, address, action, detail = {} }: RecordedAct,
): Promise<void> {
  if (ENDS_BEGUN.includes(action)) await endBegun(tx, userId);
  if (action === "member.password_changed") await forgetPlaces(tx, userId);
  const memberships = await tx
    .select()
    .from(members)
    .where(and(eq(members.userId, userId), isNull(members.removedAt)));
  for (const { id: memberId, organizationId, role, permissions } of memberships) {
    const actor: MemberActor = {
      kind: "member",
      organizationId,
      memberId,
      userId,
      address,
      role,
      permissions,
    };
    const ctx: Context<MemberActor> = { services, actor, requestId: null };
    await recordAudit(tx, ctx, { action, subjectKind: "member", subjectId: memberId, detail });
  }
}

/** Ends a person's unfinished processes: sign-ins that wait for a code, and links for a new password. */
export async function endBegun(tx: OrmTransaction, userId: string): Promise<void> {
  // better-auth stores both under the user's id; its counters have other values.
  await tx.delete(verifications).where(eq(verifications.value, userId));
}
