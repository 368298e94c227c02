import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wamidOf } from "@/server/adapters/whatsapp/testing";
import { currentFirst } from "@/server/domain/contacts/current-names";
import { newHandle, openConversation } from "@/server/domain/messages/testing";
import { inboundById, newUserId, newWamid, openPeopleWorld } from "./people-testing";
import { inbound, status } from "./testing";

let world: Awaited<ReturnType<typeof openPeopleWorld>>;

beforeAll(async () => void (world = await openPeopleWorld()));
afterAll(() => world.close());

async function currentUserId(contactId: string) {
  const [row] = await world.sql<{ userId: string }[]>`
    select handle as "userId" from contact_identities i where contact_id = ${contactId} and kind = 'bsuid'
    order by ${currentFirst(world.sql)} limit 1`;
  return row?.userId;
}

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
      await world.take(system({ type, body, wa_id: number, user_id: userId }, handle));
      expect(await world.namesOf(contactId)).toEqual([
        `bsuid ${userId}`,
        `whatsapp ${handle}`,
        `whatsapp ${number}`,
      ]);
      expect(await window()).toEqual(before);
      await world.take(inbound(number, newWamid()));
      expect(await world.threadsOf(number)).toMatchObject([{ threadId }]);
      const id = await world.sentTo(threadId);
      expect(world.upstream.calls.find((call) => call.messageId === id)?.to).toBe(number);
    },
  );

  test("only the id is the same contact under the new one", async () => {
    const [previous, userId] = [newUserId(), newUserId()];
    await world.take(inboundById(previous));
    await world.take(system({ type: "user_changed_user_id", user_id: userId, previous_user_id: previous }));
    const [thread] = await world.threadsOf(previous);
    await world.take(inboundById(userId));
    expect(await world.threadsOf(userId)).toMatchObject([{ threadId: thread?.threadId, messages: 3 }]);
  });

  test("only the id, which the event's text alone tells, is the same contact under the new one", async () => {
    const [previous, userId] = [newUserId(), newUserId()];
    await world.take(inboundById(previous));
    const body = `User Ida changed from ${previous} to ${userId}`;
    await world.take(system({ type: "user_changed_user_id", body, user_id: userId }));
    const [thread] = await world.threadsOf(previous);
    await world.take(inboundById(userId));
    expect(await world.threadsOf(userId)).toMatchObject([{ threadId: thread?.threadId, messages: 3 }]);
  });

  test("the id, as its own webhook tells, is the same contact under the new ones", async () => {
    const [previous, userId] = [newUserId(), newUserId()];
    const parentUserId = `DE.ENT.${randomInt(2 ** 47)}`;
    await world.take(inboundById(previous));
    const [thread] = await world.threadsOf(previous);
    await world.takeOf("user_id_update", {
      user_id_update: [
        {
          detail: "User id for Ida has been updated.",
          user_id: { previous, current: userId },
          parent_user_id: { previous: `DE.ENT.${randomInt(2 ** 47)}`, current: parentUserId },
          timestamp: "1749416383",
        },
      ],
    });
    expect(await world.namesOf(thread?.contactId)).toEqual([
      `bsuid ${previous}`,
      `bsuid ${userId}`,
      `parent_bsuid ${parentUserId}`,
    ]);
  });

  test("the id of a number that we know, is known by it from then on", async () => {
    const userId = newUserId();
    const { handle, contactId } = await openConversation(world.ctx, world.channelId);
    const ids = { previous: newUserId(), current: userId };
    await world.takeOf("user_id_update", { user_id_update: [{ wa_id: handle, user_id: ids }] });
    expect(await world.namesOf(contactId)).toEqual([`bsuid ${userId}`, `whatsapp ${handle}`]);
  });

  test("the id, of whom nothing is known, makes no contact", async () => {
    const ids = { previous: newUserId(), current: newUserId() };
    await world.takeOf("user_id_update", { user_id_update: [{ user_id: ids }] });
    const rows = await world.sql`
      select from contact_identities where handle in (${ids.previous}, ${ids.current})`;
    expect(rows).toHaveLength(0);
  });

  test("to a number that was another contact's only name is one contact with it", async () => {
    const [old, taken] = [
      await openConversation(world.ctx, world.channelId),
      await openConversation(world.ctx, world.channelId),
    ];
    await world.take(system({ type: "user_changed_number", wa_id: taken.handle }, old.handle));
    expect(await world.namesOf(old.contactId)).toEqual([
      `whatsapp ${old.handle}`,
      `whatsapp ${taken.handle}`,
    ]);
    expect(await world.namesOf(taken.contactId)).toEqual([]);
    for (const threadId of [old.threadId, taken.threadId]) {
      const id = await world.sentTo(threadId);
      expect(await world.recipientOf(id)).toEqual({ handle: taken.handle, threadId: old.threadId });
    }
  });

  test("to a number of a contact that WhatsApp knows by an id, too, takes only the number", async () => {
    const [old, taken] = [await openConversation(world.ctx, world.channelId), newHandle()];
    const userId = newUserId();
    const contacts = [{ wa_id: taken, user_id: userId }];
    await world.take({ ...inbound(taken, newWamid(), { from_user_id: userId }), contacts });
    const [other] = await world.threadsOf(taken);
    await world.take(system({ type: "user_changed_number", wa_id: taken }, old.handle));
    expect(await world.namesOf(old.contactId)).toEqual([`whatsapp ${old.handle}`, `whatsapp ${taken}`]);
    expect(await world.namesOf(other?.contactId)).toEqual([`bsuid ${userId}`]);
    expect(await world.recipientOf(await world.sentTo(old.threadId))).toMatchObject({ handle: taken });
    expect(await world.recipientOf(await world.sentTo(other?.threadId ?? ""))).toMatchObject({
      handle: userId,
    });
  });

  test("to a number from one that isn't known is the contact of the new one", async () => {
    const [old, known] = [newHandle(), await openConversation(world.ctx, world.channelId)];
    await world.take(system({ type: "user_changed_number", wa_id: known.handle }, old));
    expect(await world.namesOf(known.contactId)).toEqual([`whatsapp ${known.handle}`, `whatsapp ${old}`]);
    expect(await world.recipientOf(await world.sentTo(known.threadId))).toMatchObject({
      handle: known.handle,
    });
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
      await world.take(system({ type: "user_changed_number", wa_id: to }, from));
      expect(await world.recipientOf(await world.sentTo(threadId))).toMatchObject({ handle: to });
    }
  });

  test("the number, and writes from the old one again, is reached by that; a late callback changes nothing", async () => {
    const [before, after] = [newHandle(), newHandle()];
    const at = (second: number) => ({ timestamp: inSeconds(second - 100) });
    const fields = { type: "user_changed_number", wa_id: after };
    const change = system(fields, before, inSeconds(-100));
    const [early, sameSecond] = [inbound(before, newWamid(), at(-2)), inbound(before, newWamid(), at(0))];
    await world.take(sameSecond);
    const [thread] = await world.threadsOf(before);
    const reached = async () => (await world.recipientOf(await world.sentTo(thread?.threadId ?? "")))?.handle;
    await world.take(change);
    // WhatsApp repeats callbacks, and sends them in any order.
    await world.take(early, sameSecond, change);
    expect(await reached()).toBe(after);
    await world.take(inbound(before, newWamid(), at(60)));
    await world.take(change, inbound(after, newWamid(), at(58)));
    expect(await reached()).toBe(before);
  });

  test("the number, of which a late callback comes after a message from the old one, is reached by the old one", async () => {
    const [before, after] = [newHandle(), newHandle()];
    const at = (second: number) => ({ timestamp: inSeconds(second) });
    await world.take(inbound(before, newWamid(), at(-100)), inbound(before, newWamid(), at(-40)));
    const [thread] = await world.threadsOf(before);
    const late = system({ type: "user_changed_number", wa_id: after }, before, inSeconds(-60));
    await world.take(late);
    const reached = async () => world.recipientOf(await world.sentTo(thread?.threadId ?? ""));
    expect(await reached()).toMatchObject({ handle: before });
    await world.take(system({ type: "user_changed_number", wa_id: after }, before, inSeconds(-20)));
    expect(await reached()).toMatchObject({ handle: after });
  });

  test("the number, which another customer has by now, doesn't take it by a late callback", async () => {
    const [first, second, recycled] = [newHandle(), newHandle(), newHandle()];
    const at = (seconds: number) => ({ timestamp: inSeconds(seconds) });
    await world.take(inbound(first, newWamid(), at(-100)), inbound(second, newWamid(), at(-100)));
    const [thread] = await world.threadsOf(second);
    await world.take(
      system({ type: "user_changed_number", wa_id: recycled }, second, inSeconds(-30)),
      system({ type: "user_changed_number", wa_id: recycled }, first, inSeconds(-60)),
    );
    expect(await world.recipientOf(await world.sentTo(thread?.threadId ?? ""))).toMatchObject({
      handle: recycled,
    });
  });

  test("the id, of whom WhatsApp repeats an older change, keeps the newer one", async () => {
    const { handle, contactId } = await openConversation(world.ctx, world.channelId);
    const ids = [newUserId(), newUserId(), newUserId()];
    const update = (step: number) => ({
      user_id_update: [
        {
          wa_id: handle,
          user_id: { previous: ids[step], current: ids[step + 1] },
          timestamp: inSeconds(-60 + 10 * step),
        },
      ],
    });
    for (const step of [0, 1, 0]) await world.takeOf("user_id_update", update(step));
    expect(await currentUserId(contactId)).toBe(ids[2]);
  });

  test("the id keeps the new one, though a late status names the former one and an id that is new", async () => {
    const { threadId, handle, contactId } = await openConversation(world.ctx, world.channelId);
    const [former, current, parent] = [newUserId(), newUserId(), newUserId().replace("DE.", "DE.ENT.")];
    const sentId = await world.sentTo(threadId);
    const ids = (previous: string, now: string) => ({ wa_id: handle, user_id: { previous, current: now } });
    await world.takeOf("user_id_update", { user_id_update: [ids(newUserId(), former)] });
    await world.takeOf("user_id_update", { user_id_update: [ids(former, current)] });
    const recipient = { recipient_id: handle, recipient_user_id: former, recipient_parent_user_id: parent };
    await world.take({ statuses: [status("delivered", wamidOf(sentId), recipient)] });
    expect(await world.namesOf(contactId)).toContain(`parent_bsuid ${parent}`);
    expect(await currentUserId(contactId)).toBe(current);
  });
});
