import { z } from "zod";
import { members, newId, users } from "@/db/schema";
import { ROLES, type SystemActor } from "../api/actor";
import { recordAudit } from "../audit/record";
import { CAPABILITIES, type Capability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { parseInput } from "../parse-input";
import { nameSchema } from "../text";
import { hashPassword } from "./password";

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 128;

const createMemberSchema = z.strictObject({
  email: z.email("must be an e-mail address").max(254, "must have at most 254 characters"),
  name: nameSchema,
  password: z
    .string()
    .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
    .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`),
  role: z.enum(ROLES),
  /** Capabilities beyond those of the role. */
  permissions: z.array(z.string().refine(isGrantable, "must be a capability that can be given")).default([]),
});

/**
 * Makes a user and its membership in the organization. For Waypost's own work only; members invite one another.
 * @throws WaypostError `validation_failed`, also when the e-mail address (in any case) has an account already.
 */
export async function createMember(args: {
  ctx: Context<SystemActor>;
  input: z.input<typeof createMemberSchema>;
}): Promise<{ memberId: string; userId: string }> {
  const { ctx } = args;
  const { email, name, password, role, permissions } = parseInput(createMemberSchema, args.input);
  const passwordHash = await hashPassword(password);
  const memberId = newId();
  return ctx.services.orm.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({ email, name, passwordHash })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (!user) {
      throw new WaypostError("validation_failed", {
        message: "`email` is the address of another account.",
        field: "email",
      });
    }
    const { organizationId } = ctx.actor;
    await tx.insert(members).values({ id: memberId, organizationId, userId: user.id, role, permissions });
    await recordAudit(tx, ctx, {
      action: "member.created",
      subjectKind: "member",
      subjectId: memberId,
      detail: { email, role, permissions },
    });
    return { memberId, userId: user.id };
  });
}

function isGrantable(name: string): boolean {
  const entry: { grantable: boolean } | undefined = Object.hasOwn(CAPABILITIES, name)
    ? CAPABILITIES[asCapability(name)]
    : undefined;
  return entry?.grantable === true;
}

/** Guarantee: the caller has found the name in CAPABILITIES. */
function asCapability(name: string): Capability {
  return name as Capability;
}
