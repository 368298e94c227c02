import { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { nameSchema } from "@/server/lib/text";
import { WaypostError } from "@/server/platform/errors";
import { type Contact, readContacts } from "./contact";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { recordPreferenceIn } from "./record-preference";
import { contactIdParameter, requireContact } from "./get";

export const updateContactInput = z.strictObject({
  contact_id: contactIdParameter,
  name: nameSchema.nullable().optional().meta({
    description:
      "The name, 1 to 100 characters. Null removes it: the next message then gives the profile name",
  }),
  marketing_opt_out: z.literal([true, false]).optional().meta({
    description:
      "True: the customer wants no marketing messages. A later decision of the customer replaces it",
  }),
});

type UpdateInput = z.output<typeof updateContactInput>;

/** Bodies of PATCH /contacts/{contact_id}, as in the OpenAPI document. */
export const UPDATE_CONTACT_EXAMPLES = {
  name: { summary: "Set the name", value: { name: "Ana García" } },
  opt_out: { summary: "Send no marketing messages any more", value: { marketing_opt_out: true } },
} as const satisfies Record<
  string,
  { readonly summary: string; readonly value: Omit<UpdateInput, "contact_id"> }
>;

interface Before {
  readonly id: string;
  readonly name: string | null;
  readonly isOptedOut: boolean;
}

/**
 * Changes a contact's name and marketing preference. What isn't given stays. A change is audited; setting what is
 * already set isn't one.
 * @throws WaypostError `contact_not_found`, as `getContact` does.
 */
export async function updateContact(args: { ctx: Context; input: UpdateInput }): Promise<Contact> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "contacts.write");
  const { updated, endpointIds } = await retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      const before = await lockContact(ctx, tx, input.contact_id);
      const notified = await change(ctx, tx, before, input);
      const [contact] = await readContacts(ctx, tx, [before.id]);
      if (!contact) throw new WaypostError("contact_not_found", { field: "contact_id" });
      return { updated: contact, endpointIds: notified };
    }),
  );
  notifyEndpoints(ctx.services, endpointIds);
  return updated;
}

/** Locks the contact that the id leads to. A merge or an erasure that held the lock before is respected. */
async function lockContact(ctx: Context, tx: TransactionSql, contactId: string): Promise<Before> {
  const id = await requireContact(ctx, tx, contactId);
  const [before] = await tx<Before[]>`
    select id, name, marketing_opted_out_at is not null as "isOptedOut" from contacts
    where id = ${id} and organization_id = ${ctx.actor.organizationId} and erased_at is null and merged_into is null
    for no key update`;
  return before ?? lockContact(ctx, tx, id);
}

/** @returns endpoints to notify after the commit. */
async function change(
  ctx: Context,
  tx: TransactionSql,
  before: Before,
  input: UpdateInput,
): Promise<readonly string[]> {
  const { organizationId } = ctx.actor;
  const { id } = before;
  const name = input.name === undefined ? before.name : input.name;
  const isOptedOut = input.marketing_opt_out ?? before.isOptedOut;
  const isRenamed = name !== before.name;
  const isDecided = isOptedOut !== before.isOptedOut;
  if (!isRenamed && !isDecided) return [];
  if (isRenamed) {
    await tx`update contacts set name = ${name} where id = ${id} and organization_id = ${organizationId}`;
  }
  const source = ctx.actor.kind === "key" ? "api" : "member";
  const decision = { isWanted: !isOptedOut, at: null, source } as const;
  const endpointIds = isDecided ? await recordPreferenceIn(tx, organizationId, id, decision) : [];
  // Names stay out of the log: it outlives the erasure of the contact.
  await recordAuditBySql(tx, ctx, {
    action: "contact.set",
    subjectKind: "contact",
    subjectId: id,
    detail: {
      changed: [...(isRenamed ? ["name"] : []), ...(isDecided ? ["marketing_opt_out"] : [])],
      ...(isDecided ? { marketing_opt_out: isOptedOut } : {}),
    },
  });
  return endpointIds;
}
