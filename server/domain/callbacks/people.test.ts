import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wamidOf } from "@/server/adapters/whatsapp/testing";
import { recordOutcomes } from "@/server/domain/messages/deliver/record-outcomes";
import {
  codeOf,
  messageRow,
  newHandle,
  openConversation,
  queueText,
  startCall,
} from "@/server/domain/messages/testing";
import { inboundById, newUserId, newWamid, openPeopleWorld } from "./people-testing";
import { inbound, status } from "./testing";

let world: Awaited<ReturnType<typeof openPeopleWorld>>;

beforeAll(async () => void (world = await openPeopleWorld()));
afterAll(() => world.close());

describe("a customer whose number isn't told", () => {
  test("has a contact by the id, and one conversation", async () => {
    const userId = newUserId();
    await world.take(inboundById(userId), inboundById(userId));
    expect(await world.threadsOf(userId)).toMatchObject([{ name: "Ida", messages: 2 }]);
  });

  test("is the contact of the number as soon as both come together", async () => {
    const [userId, number] = [newUserId(), newHandle()];
    await world.take(inboundById(userId));
    const [before] = await world.threadsOf(userId);
    const contacts = [{ profile: { name: "Ida" }, wa_id: number, user_id: userId }];
    await world.take({ ...inbound(number, newWamid(), { from_user_id: userId }), contacts });
    expect(await world.threadsOf(number)).toMatchObject([{ ...before, messages: 2 }]);
    expect(await world.namesOf(before?.contactId)).toEqual([`bsuid ${userId}`, `whatsapp ${number}`]);
  });

  test("is known by the id that the status of a message to the number told", async () => {
    const userId = newUserId();
    const parentUserId = `DE.ENT.${randomInt(2 ** 47)}`;
    const { threadId, handle, contactId } = await openConversation(world.ctx, world.channelId);
    const id = await world.sentTo(threadId);
    const ids = { recipient_user_id: userId, recipient_parent_user_id: parentUserId };
    await world.take({ statuses: [status("delivered", wamidOf(id), { recipient_id: handle, ...ids })] });
    expect(await world.namesOf(contactId)).toEqual([
      `bsuid ${userId}`,
      `parent_bsuid ${parentUserId}`,
      `whatsapp ${handle}`,
    ]);
    await world.take(inboundById(userId));
    expect(await world.threadsOf(userId)).toMatchObject([{ threadId, messages: 3 }]);
  });

  test("fails the one message in doubt when the refusal names only the id", async () => {
    const [userId, number] = [newUserId(), newHandle()];
    const contacts = [{ wa_id: number, user_id: userId }];
    await world.take({ ...inbound(number, newWamid(), { from_user_id: userId }), contacts });
    const [thread] = await world.threadsOf(number);
    const id = await queueText(world.ctx, thread?.threadId ?? "");
    await world.sql`update messages set recipient = ${userId} where id = ${id}`;
    const { attemptId } = await startCall(world, id);
    const detail = { httpStatus: null, upstreamCode: null, reason: "no answer" };
    await recordOutcomes(world.services, [
      { attemptId, messageId: id, outcome: { kind: "uncertain", detail } },
    ]);
    const failed = { ...status("failed", newWamid()), recipient_id: undefined, recipient_user_id: userId };
    await world.take({ statuses: [{ ...failed, errors: [{ code: 131026 }] }] });
    expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode: "undeliverable" });
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
    await world.take(inbound(handle, newWamid(), ago(3_600)));
    expect(await refusedAt(handle)).not.toBeNull();
    await world.take(inbound(handle, newWamid(), ago(0)));
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
    await world.take(inbound(handle, newWamid(), ago(3_600)));
    expect(await isClosed()).toBe(true);
    await world.take(inbound(handle, newWamid(), ago(0)));
    expect(await isClosed()).toBe(false);
    expect(await codeOf(queueText(world.ctx, threadId))).toBeNull();
  });

  test("in the very second in which the window was called closed has opened it", async () => {
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    const second = Math.floor(Date.now() / 1000) - 60;
    await world.sql`
      update conversations set window_closed_at = to_timestamp(${second}) + interval '0.9 seconds',
        last_inbound_at = now() - interval '1 hour' where id = ${threadId}`;
    await world.take(inbound(handle, newWamid(), { timestamp: String(second) }));
    const [row] = await world.sql`
      select window_closed_at as "closedAt" from conversations where id = ${threadId}`;
    expect(row).toEqual({ closedAt: null });
  });

  test("gives the contact that was made by a send its name", async () => {
    const { handle, contactId } = await openConversation(world.ctx, world.channelId);
    const nameOf = async () => (await world.sql`select name from contacts where id = ${contactId}`)[0];
    await world.sql`update contacts set name = null where id = ${contactId}`;
    await world.take(inbound(handle, newWamid()));
    expect(await nameOf()).toEqual({ name: "Customer" });
  });

  test("in a group is no customer of a conversation", async () => {
    const from = newHandle();
    await world.take(inbound(from, newWamid(), { group_id: "Y2FwaV9ncm91cDox" }));
    expect(await world.threadsOf(from)).toEqual([]);
  });
});
