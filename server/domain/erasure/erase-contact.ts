import { z } from "zod";
import type { Sql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { eraseMessages } from "./erase-messages";
import { failWithoutCall } from "@/server/domain/messages/deliver/fail-without-call";
import { parseInput } from "@/server/core/input/parse-input";
import { removeGoneFiles } from "@/server/domain/customer-files/remove-gone";
import { eraseUploads } from "@/server/domain/uploads/erase";
import { isUuid } from "@/server/lib/uuid";
import { forgetInCallbacks } from "./forget-in-callbacks";
import { equivalentHandles, HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";
import { namesOf, takeNames } from "./empty-contact";
import { mergedContactIds } from "@/server/domain/contacts/merged-contacts";
import { contactsOf, findIdentities } from "@/server/domain/contacts/find";
import { keptMessages, namesIn, queuedMessages, uploadsOnlyOf } from "./kept-messages";
import { lockNames } from "@/server/domain/contacts/lock";
import { forgetRecipients } from "./forget-recipients";

const eraseContactSchema = z.union([
  z.strictObject({ contactId: z.string() }),
  z.strictObject({ number: z.string().regex(HANDLE_PATTERN) }),
]);

/** The result of an erasure; all zero if there was nothing left to do. */
export interface Erasure {
  /** All erased contacts, including those that were erased before. */
  readonly contactIds: readonly string[];
  readonly messages: number;
  /** Messages among them that hadn't been handed over, and never will be. */
  readonly failed: number;
  /** Stored callbacks that named the person. */
  readonly callbacks: number;
  readonly uploads: number;
}

/**
 * Erases a person from every copy in the organization. First the queued messages without an open or doubtful attempt
 * fail with `contact_erased`. Then it erases message contents, numbers, names, WhatsApp's ids, files that only went to
 * this person, and the entries of stored callbacks. Rows, ids, states and times stay. The names go last, so that a
 * repeat completes an erasure that crashed; repeating does no harm. By number, it erases everyone with a written form
 * of it.
 * @throws WaypostError `contact_not_found`, `permission_denied`, `validation_failed`.
 */
export async function eraseContact(args: {
  ctx: Context;
  input: z.input<typeof eraseContactSchema>;
}): Promise<Erasure> {
  const { ctx } = args;
  requireCapability(ctx.actor, "contacts.erase");
  const erasure = await erase(ctx, parseInput(eraseContactSchema, args.input));
  await forgetSamples(ctx.services.sql);
  return erasure;
}

async function erase(ctx: Context, input: z.output<typeof eraseContactSchema>): Promise<Erasure> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  if ("contactId" in input) {
    const mergedIds = isUuid(input.contactId)
      ? await mergedContactIds(sql, organizationId, input.contactId)
      : [];
    if (mergedIds.length === 0) throw new WaypostError("contact_not_found", { field: "contactId" });
    return eraseMergedContacts(ctx, input.contactId, mergedIds);
  }
  const handles = equivalentHandles(input.number);
  let sum = await forgetNames(ctx, handles);
  for (const contactId of contactsOf(await findIdentities(sql, organizationId, input.number))) {
    sum = together(
      sum,
      await eraseMergedContacts(ctx, contactId, await mergedContactIds(sql, organizationId, contactId)),
    );
  }
  return sum;
}

/**
 * PostgreSQL's planner keeps samples of values. For these columns they contain numbers and names, so they are
 * refreshed.
 */
async function forgetSamples(sql: Sql): Promise<void> {
  await sql`
    analyze contact_identities (handle, canonical), contacts (name),
      messages (recipient, sender_number, sender_user_id, content, error_detail), message_events (detail),
      message_attempts (recipient, detail), unmatched_statuses (recipient, entry), webhook_events (body),
      webhook_attempts (answer), upstream_callbacks (body), audit_log (detail), channels (pause_detail),
      demo_inbox (headers, body), api_requests (recipient_hash)`;
}

/** Erases references to a number that may no longer belong to a contact. */
async function forgetNames(ctx: Context, handles: readonly string[]): Promise<Erasure> {
  const callbacks = await forgetInCallbacks({ ctx, input: { names: new Set(handles) } });
  await forgetInRecords(ctx, { contactIds: [], handles });
  return { contactIds: [], messages: 0, failed: 0, callbacks, uploads: 0 };
}

async function eraseMergedContacts(
  ctx: Context,
  contactId: string,
  mergedIds: readonly string[],
): Promise<Erasure> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  // By the machine's clock, as the times in ids of callbacks are: a demo's clock can be moved.
  const [clock] = await sql<{ startedAt: Date }[]>`select pg_catalog.now() as "startedAt"`;
  const failed = await failQueued(ctx, mergedIds);
  const { handles, upstreamIds, uploadIds } = await namesIn(sql, organizationId, mergedIds);
  const names = new Set([...handles, ...upstreamIds]);
  const callbacks = await forgetInCallbacks({ ctx, input: { names } });
  await forgetInRecords(ctx, { contactIds: mergedIds, handles });
  const files = await uploadsOnlyOf(sql, organizationId, { contactIds: mergedIds, uploadIds });
  await eraseUploads(ctx.services, organizationId, files);
  const messages = (await eraseInBatches(ctx, mergedIds)) + (await eraseRest(ctx, contactId, mergedIds));
  // Erases callbacks that arrived during the steps above.
  const late = await forgetInCallbacks({ ctx, input: { names, since: clock?.startedAt } });
  await forgetInRecords(ctx, { contactIds: mergedIds, handles });
  await removeGoneFiles(ctx.services, organizationId);
  return { contactIds: mergedIds, messages, failed, callbacks: callbacks + late, uploads: files.length };
}

async function failQueued(ctx: Context, mergedIds: readonly string[]): Promise<number> {
  const { services, actor } = ctx;
  let failed = 0;
  for (let after = 0; ;) {
    const batch = await queuedMessages(services.sql, actor.organizationId, mergedIds, after);
    const last = batch.at(-1);
    if (!last) return failed;
    failed += await failWithoutCall(services, batch, "contact_erased");
    after = last.acceptSeq;
  }
}

async function eraseInBatches(ctx: Context, mergedIds: readonly string[]): Promise<number> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  let erased = 0;
  for (;;) {
    const batch = await keptMessages(sql, organizationId, mergedIds);
    if (batch.length === 0) return erased;
    erased += await retryOnConflict(() => sql.begin((tx) => eraseMessages(tx, organizationId, batch)));
  }
}

/** Erases the names, and late arrivals, under the locks that every addition to a contact needs. */
async function eraseRest(ctx: Context, contactId: string, mergedIds: readonly string[]): Promise<number> {
  const { organizationId } = ctx.actor;
  return retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      await lockNames(tx, organizationId, await namesOf(tx, organizationId, mergedIds));
      await tx`
        select from contacts where organization_id = ${organizationId} and id = any(${[...mergedIds]}::uuid[])
        order by id for update`;
      const erased = await eraseMessages(
        tx,
        organizationId,
        await keptMessages(tx, organizationId, mergedIds),
      );
      await takeNames(tx, organizationId, mergedIds);
      const { count } = await tx`
        update contacts set erased_at = clock_timestamp()
        where organization_id = ${organizationId} and id = any(${[...mergedIds]}::uuid[]) and erased_at is null`;
      if (count > 0) {
        const detail = { contactIds: [...mergedIds] };
        const subject = { subjectKind: "contact", subjectId: contactId } as const;
        await recordAuditBySql(tx, ctx, { action: "contact.erased", ...subject, detail });
      }
      return erased;
    }),
  );
}

/**
 * Removes a person's names from the organization's records other than messages: details of the audit log, statuses that
 * wait for their message (they keep their meaning without the words), the upstream's words about a paused channel, the
 * contents of a demo's inbox, and the recipient of a refused request. Names match as whole words only.
 */
async function forgetInRecords(
  ctx: Context,
  about: { contactIds: readonly string[]; handles: readonly string[] },
): Promise<void> {
  const { services, actor } = ctx;
  const { sql } = services;
  const { organizationId } = actor;
  await sql`
    update audit_log set detail = '{}'
    where organization_id = ${organizationId} and subject_kind = 'contact' and action <> 'contact.erased'
      and subject_id = any(${[...about.contactIds]}::uuid[]) and detail <> '{}'`;
  const inboxNaming = patternOf([...about.contactIds, ...about.handles]);
  await sql`delete from demo_inbox where organization_id = ${organizationId} and body ~ ${inboxNaming}`;
  await forgetRecipients(ctx, about);
  if (about.handles.length === 0) return;
  const naming = patternOf(about.handles);
  await sql`
    update audit_log set detail = '{}' where organization_id = ${organizationId} and detail::text ~ ${naming}`;
  await sql`
    update unmatched_statuses set recipient = null, entry = entry || '{"detail": null}'
    where organization_id = ${organizationId}
      and (recipient = any(${[...about.handles]}::text[]) or entry::text ~ ${naming})`;
  await sql`
    update channels set pause_detail = pause_detail - array['reason', 'title']
    where organization_id = ${organizationId} and pause_detail::text ~ ${naming}`;
}

/** Returns a PostgreSQL regular expression for any of the names, with no letter or digit before or after it. */
function patternOf(handles: readonly string[]): string {
  const names = handles.map((handle) => handle.replaceAll(".", "\\."));
  return `(^|[^0-9A-Za-z])(${names.join("|")})($|[^0-9A-Za-z])`;
}

function together(one: Erasure, other: Erasure): Erasure {
  return {
    contactIds: [...new Set([...one.contactIds, ...other.contactIds])],
    messages: one.messages + other.messages,
    failed: one.failed + other.failed,
    callbacks: one.callbacks + other.callbacks,
    uploads: one.uploads + other.uploads,
  };
}
