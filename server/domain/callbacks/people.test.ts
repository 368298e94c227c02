import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import {
  codeOf,
  messageRow,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
} from "@/server/domain/messages/testing";
import { recordOutcomes } from "@/server/domain/messages/deliver/record-outcomes";
import { wamidOf } from "@/server/adapters/whatsapp/testing";

import { bytesOf, callbackOf, inbound, post, processDue, status } from "./testing";

let world: SendWorld;
let phoneNumberId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  const [row] = await world.sql<{ phoneNumberId: string }[]>`
    select phone_number_id as "phoneNumberId" from channels where id = ${world.channelId}`;
  phoneNumberId = row?.phoneNumberId ?? "";
});
afterAll(() => world.close());

const newUserId = () => `DE.${randomInt(2 ** 47)}`;
const newWamid = () => `wamid.${randomUUID()}`;

const take = (...values: object[]) => takeOf("messages", ...values);

async function takeOf(field: string, ...values: object[]): Promise<void> {
  const bytes = bytesOf(callbackOf(field, phoneNumberId, ...values));
  expect(await post(world.services, world.channelId, bytes)).toBe(200);
  await processDue(world.services);
}

/** A text of somebody whose number WhatsApp doesn't report. */
function inboundById(userId: string, wamid = newWamid()): object {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    contacts: [{ profile: { name: "Ida", username: "@ida" }, user_id: userId }],
    messages: [{ from_user_id: userId, id: wamid, timestamp, type: "text", text: { body: "Hello" } }],
  };
}

async function threadsOf(name: string) {
  return world.sql<{ contactId: string; threadId: string; name: string | null; messages: number }[]>`
    select v.contact_id as "contactId", v.id as "threadId", c.name,
      (select count(*)::int from messages m where m.conversation_id = v.id) as messages
    from contact_identities i join contacts c on c.id = i.contact_id
    join conversations v on v.contact_id = i.contact_id where i.handle = ${name}`;
}

async function namesOf(contactId: string | undefined) {
  const rows = await world.sql<{ kind: string; handle: string }[]>`
    select kind, handle from contact_identities where contact_id = ${contactId ?? ""} order by kind, created_at, id`;
  return rows.map(({ kind, handle }) => `${kind} ${handle}`);
}

async function sentTo(threadId: string): Promise<string> {
  const id = await queueText(world.ctx, threadId);
  await drainChannel(world.services, world.channelId);
  return id;
}

/** Where a message goes. */
async function recipientOf(messageId: string) {
  const [row] = await world.sql<{ handle: string; threadId: string }[]>`
    select recipient as handle, conversation_id as "threadId" from messages where id = ${messageId}`;
  return row;
}

describe("a customer whose number isn't told", () => {
  test("has a contact by the id, and one conversation", async () => {
    const userId = newUserId();
    await take(inboundById(userId), inboundById(userId));
    expect(await threadsOf(userId)).toMatchObject([{ name: "Ida", messages: 2 }]);
  });

  test("is the contact of the number as soon as both come together", async () => {
    const [userId, number] = [newUserId(), newHandle()];
    await take(inboundById(userId));
    const [before] = await threadsOf(userId);
    const contacts = [{ profile: { name: "Ida" }, wa_id: number, user_id: userId }];
    await take({ ...inbound(number, newWamid(), { from_user_id: userId }), contacts });
    expect(await threadsOf(number)).toMatchObject([{ ...before, messages: 2 }]);
    expect(await namesOf(before?.contactId)).toEqual([`bsuid ${userId}`, `whatsapp ${number}`]);
  });

  test("is known by the id that the status of a message to the number told", async () => {
    const userId = newUserId();
    const parentUserId = `DE.ENT.${randomInt(2 ** 47)}`;
    const { threadId, handle, contactId } = await openConversation(world.ctx, world.channelId);
    const id = await sentTo(threadId);
    const ids = { recipient_user_id: userId, recipient_parent_user_id: parentUserId };
    await take({ statuses: [status("delivered", wamidOf(id), { recipient_id: handle, ...ids })] });
    expect(await namesOf(contactId)).toEqual([
      `bsuid ${userId}`,
      `parent_bsuid ${parentUserId}`,
      `whatsapp ${handle}`,
    ]);
    await take(inboundById(userId));
    expect(await threadsOf(userId)).toMatchObject([{ threadId, messages: 3 }]);
  });

  test("fails the one message in doubt when the refusal names only the id", async () => {
    const [userId, number] = [newUserId(), newHandle()];
    const contacts = [{ wa_id: number, user_id: userId }];
    await take({ ...inbound(number, newWamid(), { from_user_id: userId }), contacts });
    const [thread] = await threadsOf(number);
    const id = await queueText(world.ctx, thread?.threadId ?? "");
    await world.sql`update messages set recipient = ${userId} where id = ${id}`;
    const { attemptId } = await startCall(world, id);
    const detail = { httpStatus: null, upstreamCode: null, reason: "no answer" };
    await recordOutcomes(world.services, [
      { attemptId, messageId: id, outcome: { kind: "uncertain", detail } },
    ]);
    const failed = { ...status("failed", newWamid()), recipient_id: undefined, recipient_user_id: userId };
    await take({ statuses: [{ ...failed, errors: [{ code: 131026 }] }] });
    expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode: "undeliverable" });
  });
});

describe("a customer who changed", () => {
  const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
  const system = (fields: object, from?: string, timestamp = inSeconds(0)) => ({
    messages: [{ from, id: newWamid(), timestamp, type: "system", system: fields }],
  });

  test.each(["user_changed_number", "customer_changed_number"])(
    "the number (%s) is the same contact under the new one, and the window stays as it was",
    async (type) => {
      const [number, userId] = [newHandle(), newUserId()];
      const { threadId, handle, contactId } = await openConversation(world.ctx, world.channelId);
      const window = () => world.sql`select last_inbound_at from conversations where id = ${threadId}`;
      const before = await window();
      const body = `User Ida changed from ${handle} to ${number}`;
      await take(system({ type, body, wa_id: number, user_id: userId }, handle));
      expect(await namesOf(contactId)).toEqual([
        `bsuid ${userId}`,
        `whatsapp ${handle}`,
        `whatsapp ${number}`,
      ]);
      expect(await window()).toEqual(before);
      await take(inbound(number, newWamid()));
      expect(await threadsOf(number)).toMatchObject([{ threadId }]);
      const id = await sentTo(threadId);
      expect(world.upstream.calls.find((call) => call.messageId === id)?.to).toBe(number);
    },
  );

  test("only the id is the same contact under the new one", async () => {
    const [previous, userId] = [newUserId(), newUserId()];
    await take(inboundById(previous));
    await take(system({ type: "user_changed_user_id", user_id: userId, previous_user_id: previous }));
    const [thread] = await threadsOf(previous);
    await take(inboundById(userId));
    expect(await threadsOf(userId)).toMatchObject([{ threadId: thread?.threadId, messages: 3 }]);
  });

  test("only the id, which the event's text alone tells, is the same contact under the new one", async () => {
    const [previous, userId] = [newUserId(), newUserId()];
    await take(inboundById(previous));
    const body = `User Ida changed from ${previous} to ${userId}`;
    await take(system({ type: "user_changed_user_id", body, user_id: userId }));
    const [thread] = await threadsOf(previous);
    await take(inboundById(userId));
    expect(await threadsOf(userId)).toMatchObject([{ threadId: thread?.threadId, messages: 3 }]);
  });

  test("the id, as its own webhook tells, is the same contact under the new ones", async () => {
    const [previous, userId] = [newUserId(), newUserId()];
    const parentUserId = `DE.ENT.${randomInt(2 ** 47)}`;
    await take(inboundById(previous));
    const [thread] = await threadsOf(previous);
    await takeOf("user_id_update", {
      user_id_update: [
        {
          detail: "User id for Ida has been updated.",
          user_id: { previous, current: userId },
          parent_user_id: { previous: `DE.ENT.${randomInt(2 ** 47)}`, current: parentUserId },
          timestamp: "1749416383",
        },
      ],
    });
    expect(await namesOf(thread?.contactId)).toEqual([
      `bsuid ${previous}`,
      `bsuid ${userId}`,
      `parent_bsuid ${parentUserId}`,
    ]);
  });

  test("the id of a number that we know, is known by it from then on", async () => {
    const userId = newUserId();
    const { handle, contactId } = await openConversation(world.ctx, world.channelId);
    const ids = { previous: newUserId(), current: userId };
    await takeOf("user_id_update", { user_id_update: [{ wa_id: handle, user_id: ids }] });
    expect(await namesOf(contactId)).toEqual([`bsuid ${userId}`, `whatsapp ${handle}`]);
  });

  test("the id, of whom nothing is known, makes no contact", async () => {
    const ids = { previous: newUserId(), current: newUserId() };
    await takeOf("user_id_update", { user_id_update: [{ user_id: ids }] });
    const rows = await world.sql`
      select from contact_identities where handle in (${ids.previous}, ${ids.current})`;
    expect(rows).toHaveLength(0);
  });

  test("to a number that was another contact's only name is one contact with it", async () => {
    const [old, taken] = [
      await openConversation(world.ctx, world.channelId),
      await openConversation(world.ctx, world.channelId),
    ];
    await take(system({ type: "user_changed_number", wa_id: taken.handle }, old.handle));
    expect(await namesOf(old.contactId)).toEqual([`whatsapp ${old.handle}`, `whatsapp ${taken.handle}`]);
    expect(await namesOf(taken.contactId)).toEqual([]);
    for (const threadId of [old.threadId, taken.threadId]) {
      const id = await sentTo(threadId);
      expect(await recipientOf(id)).toEqual({ handle: taken.handle, threadId: old.threadId });
    }
  });

  test("to a number of a contact that WhatsApp knows by an id, too, takes only the number", async () => {
    const [old, taken] = [await openConversation(world.ctx, world.channelId), newHandle()];
    const userId = newUserId();
    const contacts = [{ wa_id: taken, user_id: userId }];
    await take({ ...inbound(taken, newWamid(), { from_user_id: userId }), contacts });
    const [other] = await threadsOf(taken);
    await take(system({ type: "user_changed_number", wa_id: taken }, old.handle));
    expect(await namesOf(old.contactId)).toEqual([`whatsapp ${old.handle}`, `whatsapp ${taken}`]);
    expect(await namesOf(other?.contactId)).toEqual([`bsuid ${userId}`]);
    expect(await recipientOf(await sentTo(old.threadId))).toMatchObject({ handle: taken });
    expect(await recipientOf(await sentTo(other?.threadId ?? ""))).toMatchObject({ handle: userId });
  });

  test("to a number from one that isn't known is the contact of the new one", async () => {
    const [old, known] = [newHandle(), await openConversation(world.ctx, world.channelId)];
    await take(system({ type: "user_changed_number", wa_id: known.handle }, old));
    expect(await namesOf(known.contactId)).toEqual([`whatsapp ${known.handle}`, `whatsapp ${old}`]);
    expect(await recipientOf(await sentTo(known.threadId))).toMatchObject({ handle: known.handle });
  });

  test("the number and back again, within a second, is reached by the last one", async () => {
    const { threadId, handle } = await openConversation(world.ctx, world.channelId);
    const [second, third] = [newHandle(), newHandle()];
    const changes = [
      [handle, second],
      [second, third],
      [third, handle],
      [handle, second],
      [second, handle],
    ] as const;
    for (const [from, to] of changes) {
      await take(system({ type: "user_changed_number", wa_id: to }, from));
      expect(await recipientOf(await sentTo(threadId))).toMatchObject({ handle: to });
    }
  });

  test("the number, and writes from the old one again, is reached by that; a late callback changes nothing", async () => {
    const [before, after] = [newHandle(), newHandle()];
    const at = (second: number) => ({ timestamp: inSeconds(second - 100) });
    const fields = { type: "user_changed_number", wa_id: after };
    const change = system(fields, before, inSeconds(-100));
    const [early, sameSecond] = [inbound(before, newWamid(), at(-2)), inbound(before, newWamid(), at(0))];
    await take(sameSecond);
    const [thread] = await threadsOf(before);
    const reached = async () => (await recipientOf(await sentTo(thread?.threadId ?? "")))?.handle;
    await take(change);
    // WhatsApp repeats callbacks, and sends them in any order.
    await take(early, sameSecond, change);
    expect(await reached()).toBe(after);
    await take(inbound(before, newWamid(), at(60)));
    await take(change, inbound(after, newWamid(), at(58)));
    expect(await reached()).toBe(before);
  });
});

describe("a customer who writes", () => {
  const refusedAt = async (handle: string) => {
    const [row] = await world.sql<{ at: Date | null }[]>`
      select refused_at as at from contact_identities where handle = ${handle}`;
    return row?.at ?? null;
  };
  const ago = (seconds: number) => ({ timestamp: String(Math.floor(Date.now() / 1000) - seconds) });

  test("has a number that is good again, unless it was refused after that", async () => {
    const { handle } = await openConversation(world.ctx, world.channelId);
    await world.sql`update contact_identities set refused_at = now() - interval '1 minute' where handle = ${handle}`;
    await take(inbound(handle, newWamid(), ago(3_600)));
    expect(await refusedAt(handle)).not.toBeNull();
    await take(inbound(handle, newWamid(), ago(0)));
    expect(await refusedAt(handle)).toBeNull();
  });

  test("opens the window again that the upstream had called closed, unless it was closed after that", async () => {
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    const isClosed = async () =>
      (
        await world.sql<{ isClosed: boolean }[]>`
        select coalesce(window_closed_at >= last_inbound_at, false) as "isClosed"
        from conversations where id = ${threadId}`
      )[0]?.isClosed;
    await world.sql`
      update conversations set window_closed_at = now() - interval '1 minute',
        last_inbound_at = now() - interval '2 minutes' where id = ${threadId}`;
    await take(inbound(handle, newWamid(), ago(3_600)));
    expect(await isClosed()).toBe(true);
    await take(inbound(handle, newWamid(), ago(0)));
    expect(await isClosed()).toBe(false);
    expect(await codeOf(queueText(world.ctx, threadId))).toBeNull();
  });

  test("in the very second in which the window was called closed has opened it", async () => {
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    const second = Math.floor(Date.now() / 1000) - 60;
    await world.sql`
      update conversations set window_closed_at = to_timestamp(${second}) + interval '0.9 seconds',
        last_inbound_at = now() - interval '1 hour' where id = ${threadId}`;
    await take(inbound(handle, newWamid(), { timestamp: String(second) }));
    const [row] = await world.sql`
      select window_closed_at as "closedAt" from conversations where id = ${threadId}`;
    expect(row).toEqual({ closedAt: null });
  });

  test("gives the contact that was made by a send its name", async () => {
    const { handle, contactId } = await openConversation(world.ctx, world.channelId);
    const nameOf = async () => (await world.sql`select name from contacts where id = ${contactId}`)[0];
    await world.sql`update contacts set name = null where id = ${contactId}`;
    await take(inbound(handle, newWamid()));
    expect(await nameOf()).toEqual({ name: "Customer" });
  });

  test("in a group is no customer of a conversation", async () => {
    const from = newHandle();
    await take(inbound(from, newWamid(), { group_id: "Y2FwaV9ncm91cDox" }));
    expect(await threadsOf(from)).toEqual([]);
  });
});
