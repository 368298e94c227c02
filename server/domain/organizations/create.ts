import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { newId, organizations } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import type { Context, Services } from "@/server/core/context";
import { fingerprintPurpose } from "./fingerprint-key";
import { parseInput } from "@/server/core/input/parse-input";
import { nameSchema } from "@/server/lib/text";

const FINGERPRINT_KEY_BYTES = 32;

const createOrganizationSchema = z.strictObject({ name: nameSchema, isDemo: z.boolean().default(false) });

/**
 * Returns the stored data of a new organization, with its own fingerprint key (32 random bytes, base64url, encrypted).
 */
export function newOrganization(
  { vault }: Pick<Services, "vault">,
  { name, isDemo }: z.output<typeof createOrganizationSchema>,
) {
  const id = newId();
  const fingerprintKey = randomBytes(FINGERPRINT_KEY_BYTES).toString("base64url");
  return { id, name, isDemo, fingerprintKeyEncrypted: vault.encrypt(fingerprintKey, fingerprintPurpose(id)) };
}

export async function insertOrganization(
  tx: OrmTransaction,
  ctx: Context,
  organization: ReturnType<typeof newOrganization>,
): Promise<void> {
  await tx.insert(organizations).values(organization);
  await recordAudit(tx, ctx, {
    action: "organization.created",
    subjectKind: "organization",
    subjectId: organization.id,
    detail: { name: organization.name },
  });
}

/**
 * Creates an organization. No actor exists before it: `job` says who created it, and the result is the context for the
 * next steps.
 * @throws WaypostError `validation_failed`.
 */
export async function createOrganization(args: {
  services: Services;
  job: string;
  input: z.input<typeof createOrganizationSchema>;
}): Promise<{ id: string; name: string; ctx: Context<SystemActor> }> {
  const { services, job } = args;
  const organization = newOrganization(services, parseInput(createOrganizationSchema, args.input));
  const { id, name } = organization;
  const ctx = { services, actor: { kind: "system", organizationId: id, job }, requestId: null } as const;
  await services.orm.transaction((tx) => insertOrganization(tx, ctx, organization));
  return { id, name, ctx };
}
