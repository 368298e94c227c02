import { randomBytes } from "node:crypto";
import { z } from "zod";
import { newId, organizations } from "@/db/schema";
import type { SystemActor } from "../api/actor";
import { recordAudit } from "../audit/record";
import type { Context, Services } from "../context";
import { fingerprintPurpose } from "../messages/fingerprint-key";
import { parseInput } from "../parse-input";
import { nameSchema } from "../text";

const FINGERPRINT_KEY_BYTES = 32;

const createOrganizationSchema = z.strictObject({ name: nameSchema, isDemo: z.boolean().default(false) });

/**
 * Makes an organization with a fingerprint key of its own (32 random bytes, base64url, encrypted). There is no actor
 * before there is an organization: `job` says who made it, and the answer is the context for what follows.
 * @throws WaypostError `validation_failed`.
 */
export async function createOrganization(args: {
  services: Services;
  job: string;
  input: z.input<typeof createOrganizationSchema>;
}): Promise<{ id: string; name: string; ctx: Context<SystemActor> }> {
  const { services, job } = args;
  const { name, isDemo } = parseInput(createOrganizationSchema, args.input);
  const id = newId();
  const ctx = { services, actor: { kind: "system", organizationId: id, job }, requestId: null } as const;
  const fingerprintKey = randomBytes(FINGERPRINT_KEY_BYTES).toString("base64url");
  const fingerprintKeyEncrypted = services.vault.encrypt(fingerprintKey, fingerprintPurpose(id));
  await services.orm.transaction(async (tx) => {
    await tx.insert(organizations).values({ id, name, isDemo, fingerprintKeyEncrypted });
    await recordAudit(tx, ctx, {
      action: "organization.created",
      subjectKind: "organization",
      subjectId: id,
      detail: { name },
    });
  });
  return { id, name, ctx };
}
