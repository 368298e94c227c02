import { and, eq } from "drizzle-orm";
import { contactIdentities, contacts, conversations, messages, newId } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import { canonicalHandle } from "@/server/adapters/whatsapp/handles";
import type { Context } from "@/server/core/context";
import { receiveText } from "@/server/domain/messages/receive/receive";
import type { Contact, ContactWithThread } from "./demo";

/** Begins WhatsApp's ids of the messages that a demo is created with. */
export const WAMID_PREFIX = "wamid.demo-";

/** Simulates that the customer wrote to the channel at that time: creates a contact, a conversation and its window. */
export async function customerWrote(
  ctx: Context<SystemActor>,
  input: { channelId: string; handle: string; name: string; at: Date },
): Promise<ContactWithThread> {
  const { channelId, handle, name, at } = input;
  const { contactId, conversationId } = await receiveText({
    ctx,
    input: {
      channelId,
      from: handle,
      profileName: name,
      upstreamId: `${WAMID_PREFIX}${newId()}`,
      body: "Hello! Is my order on its way?",
      at,
    },
  });
  return { handle, contact_id: contactId, thread_id: conversationId };
}

/** Closes a conversation and assigns it to a member. */
export async function closeAndAssign(
  ctx: Context<SystemActor>,
  conversationId: string,
  assigneeId: string,
): Promise<void> {
  const { organizationId } = ctx.actor;
  await ctx.services.orm.transaction(async (tx) => {
    await tx
      .update(conversations)
      .set({ status: "closed", assigneeId })
      .where(and(eq(conversations.organizationId, organizationId), eq(conversations.id, conversationId)));
    await recordAudit(tx, ctx, {
      action: "conversation.closed",
      subjectKind: "conversation",
      subjectId: conversationId,
      detail: { assigneeId },
    });
  });
}

/** An internal note of staff: never sent, never visible to a key. */
export async function addNote(
  ctx: Context<SystemActor>,
  input: { channelId: string; contact: ContactWithThread; body: string },
): Promise<string> {
  const { channelId, contact, body } = input;
  const id = newId();
  await ctx.services.orm.insert(messages).values({
    id,
    organizationId: ctx.actor.organizationId,
    conversationId: contact.thread_id,
    contactId: contact.contact_id,
    channelId,
    kind: "note",
    type: "text",
    content: { text: { body } },
  });
  return id;
}

/**
 * Adds two contacts, each with one written form of the same number, as two imports could have left them. No verb
 * creates that, because it would find the first contact by the second form.
 */
export async function addConflictingContacts(
  ctx: Context<SystemActor>,
  forms: { long: string; short: string },
): Promise<Contact[]> {
  const { organizationId } = ctx.actor;
  const pair = [forms.long, forms.short].map((handle) => ({ handle, contactId: newId() }));
  await ctx.services.orm.transaction(async (tx) => {
    await tx.insert(contacts).values(
      pair.map(({ contactId, handle }) => ({
        id: contactId,
        organizationId,
        name: `Imported as ${handle}`,
      })),
    );
    await tx.insert(contactIdentities).values(
      pair.map(({ contactId, handle }) => ({
        organizationId,
        contactId,
        kind: "whatsapp" as const,
        handle,
        canonical: canonicalHandle(handle),
      })),
    );
  });
  return pair.map(({ handle, contactId }) => ({ handle, contact_id: contactId }));
}
