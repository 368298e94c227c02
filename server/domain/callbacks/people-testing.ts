import { randomInt, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import { openSendWorld, queueText } from "@/server/domain/messages/testing";
import { bytesOf, callbackOf, post, processDue } from "./testing";

export const newUserId = () => `DE.${randomInt(2 ** 47)}`;
export const newWamid = () => `wamid.${randomUUID()}`;

/** A text of somebody whose number WhatsApp doesn't report. */
export function inboundById(userId: string, wamid = newWamid()): object {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    contacts: [{ profile: { name: "Ida", username: "@ida" }, user_id: userId }],
    messages: [{ from_user_id: userId, id: wamid, timestamp, type: "text", text: { body: "Hello" } }],
  };
}

/** A world with one channel, and what its callbacks say about people. */
export async function openPeopleWorld() {
  const world = await openSendWorld({ database: "own" });
  const { sql, services, ctx, channelId } = world;
  const [row] = await sql<{ phoneNumberId: string }[]>`
    select phone_number_id as "phoneNumberId" from channels where id = ${channelId}`;

  async function takeOf(field: string, ...values: object[]): Promise<void> {
    const bytes = bytesOf(callbackOf(field, row?.phoneNumberId ?? "", ...values));
    expect(await post(services, channelId, bytes)).toBe(200);
    await processDue(services);
  }

  return {
    ...world,
    /** Takes a callback with these values of a field, and processes it. */
    takeOf,
    take: (...values: object[]) => takeOf("messages", ...values),
    /** The conversations of the contact with a name. */
    threadsOf: (name: string) => sql<
      { contactId: string; threadId: string; name: string | null; messages: number }[]
    >`
      select v.contact_id as "contactId", v.id as "threadId", c.name,
        (select count(*)::int from messages m where m.conversation_id = v.id) as messages
      from contact_identities i join contacts c on c.id = i.contact_id
      join conversations v on v.contact_id = i.contact_id where i.handle = ${name}`,
    async namesOf(contactId: string | undefined) {
      const rows = await sql<{ kind: string; handle: string }[]>`
        select kind, handle from contact_identities where contact_id = ${contactId ?? ""} order by kind, created_at, id`;
      return rows.map(({ kind, handle }) => `${kind} ${handle}`);
    },
    async sentTo(threadId: string): Promise<string> {
      const id = await queueText(ctx, threadId);
      await drainChannel(services, channelId);
      return id;
    },
    /** Where a message goes. */
    async recipientOf(messageId: string) {
      const [message] = await sql<{ handle: string; threadId: string }[]>`
        select recipient as handle, conversation_id as "threadId" from messages where id = ${messageId}`;
      return message;
    },
  };
}
