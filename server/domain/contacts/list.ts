import { z } from "zod";
import type { SqlFragment } from "@/db/client";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page, pageInput, pageOutput } from "@/server/core/paging";
import { canonicalHandle } from "@/server/adapters/whatsapp/handles";
import { type Contact, contactOutput, readContacts, visibleContact } from "./contact";
import { numberInput } from "./number-input";
import { MAX_UUID } from "@/server/lib/uuid";

export const listContactsInput = z.strictObject({
  to: numberInput
    .meta({
      description: "Only the contact with this phone number, in any spelling with the country code",
      examples: ["+49 151 12345678"],
      override: { type: "string" },
    })
    .optional(),
  ...pageInput,
});

export const contactPage = pageOutput(contactOutput, "ContactList");

type ListInput = z.output<typeof listContactsInput>;

const LIST = "contacts";
/** Maximum contacts examined per page, for a key that may see few of them. */
const EXAMINED_MAX = 1_000;

/**
 * Lists contacts, newest first. Of merged contacts only the remaining one is listed, and erased ones are left out. A
 * page can have fewer than `limit` rows, even none, and still have a next page.
 */
export async function listContacts(args: { ctx: Context; input: ListInput }): Promise<Page<Contact>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "contacts.read");
  const { sql } = ctx.services;
  const before = decodeCursor(ctx, LIST, input.cursor)?.[0] ?? MAX_UUID;
  const examined = await sql<{ id: string; isVisible: boolean }[]>`
    select k.id, ${visibleContact(ctx, sql)} as "isVisible"
    from contacts k
    where k.organization_id = ${ctx.actor.organizationId} and k.erased_at is null and k.merged_into is null
      and k.id < ${before}::uuid ${ofNumber(ctx, input.to)}
    order by k.id desc limit ${examinedMax(ctx, input)}`;
  const visible = examined.filter(({ isVisible }) => isVisible).map(({ id }) => id);
  const shown = visible.slice(0, input.limit);
  const isFull = examined.length === examinedMax(ctx, input);
  const end = visible.length > shown.length ? shown.at(-1) : isFull ? examined.at(-1)?.id : undefined;
  return {
    data: [...(await readContacts(ctx, sql, shown))],
    next_cursor: end === undefined ? null : encodeCursor(ctx, LIST, [end]),
  };
}

/** Whoever may see every contact needs to examine no more than the page shows. */
function examinedMax({ actor }: Context, { limit }: ListInput): number {
  return actor.kind === "key" && actor.channelIds !== null ? EXAMINED_MAX : limit + 1;
}

function ofNumber(
  { services: { sql }, actor }: Context,
  numbers: readonly string[] | undefined,
): SqlFragment {
  if (numbers === undefined) return sql``;
  return sql`and k.id in (
    select i.contact_id from contact_identities i
    where i.organization_id = ${actor.organizationId} and i.kind = 'whatsapp'
      and i.canonical = any(${numbers.map(canonicalHandle)}::text[]))`;
}
