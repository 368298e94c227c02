import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@/db/schema";
import { openConversation, queueText } from "@/server/domain/messages/testing";
import { asMember, connectTestChannel } from "@/server/domain/organizations/testing";
import { setWebhook } from "@/server/domain/webhooks/endpoints/set";
import { getReceived } from "./get";
import { listInbox } from "./list";
import { addReceived, type InboxWorld, newDemo, openInboxWorld } from "./testing";

let world: InboxWorld;
beforeAll(async () => void (world = await openInboxWorld()));
afterAll(() => world.close());

test("is newest first, without bodies, each with what it is about", async () => {
  const { ctx } = await newDemo(world);
  const channelId = await connectTestChannel(ctx, true);
  const { threadId, contactId } = await openConversation(ctx, channelId);
  const [written] = await world.sql<
    { id: string }[]
  >`select id from messages where contact_id = ${contactId}`;
  const sent = await queueText(ctx, threadId);
  const receivedAt = new Date("2026-01-31T12:00:00Z");
  const first = await addReceived(ctx, { messageId: newId(), receivedAt });
  const second = await addReceived(ctx, { messageId: sent });
  const third = await addReceived(ctx, { messageId: written?.id, type: "message.received" });
  const fourth = await addReceived(ctx, { fault: "unsigned", type: null });
  const fifth = await addReceived(ctx, { contactId, type: "contact.opted_out" });
  const { webhooks } = await listInbox({ ctx });
  const anyTime: unknown = expect.any(Date);
  expect(webhooks).toEqual([
    {
      id: fifth,
      receivedAt: anyTime,
      fault: null,
      type: "contact.opted_out",
      about: { kind: "contact", contactId, name: "Customer" },
    },
    { id: fourth, receivedAt: anyTime, fault: "unsigned", type: null, about: null },
    {
      id: third,
      receivedAt: anyTime,
      fault: null,
      type: "message.received",
      about: { kind: "contact", contactId, name: "Customer" },
    },
    {
      id: second,
      receivedAt: anyTime,
      fault: null,
      type: "message.sent",
      about: { kind: "message", messageId: sent, clientMessageId: expect.any(String) },
    },
    { id: first, receivedAt, fault: null, type: "message.sent", about: null },
  ]);
});

test("tells whether anything more can come", async () => {
  const { ctx, endpointId } = await newDemo(world);
  expect((await listInbox({ ctx })).endpoint).toEqual({ id: endpointId, isEnabled: true });
  await setWebhook({ ctx, input: { id: endpointId, enabled: false } });
  expect((await listInbox({ ctx })).endpoint).toEqual({ id: endpointId, isEnabled: false });
  await setWebhook({ ctx, input: { id: endpointId, url: "https://93.184.216.34/hook" } });
  expect((await listInbox({ ctx })).endpoint).toBeNull();
});

test("tells its address, by which it can be made an endpoint again", async () => {
  const { ctx, url } = await newDemo(world);
  const services = { ...ctx.services, urls: world.services.urls };
  expect(await listInbox({ ctx: { ...ctx, services } })).toMatchObject({ url });
  expect(
    await listInbox({
      ctx: { ...ctx, services: { ...services, urls: { ...services.urls, own: () => [] } } },
    }),
  ).toMatchObject({
    url: null,
  });
});

test("one is shown with its headers and its body, and said to be cut where it is", async () => {
  const { ctx } = await newDemo(world);
  const headers = { "user-agent": "Waypost", "webhook-id": "1" };
  const receivedId = await addReceived(ctx, { headers, body: "ü", bodyBytes: 2 });
  expect(await getReceived({ ctx, input: { receivedId } })).toMatchObject({
    headers: [
      { name: "webhook-id", value: "1" },
      { name: "user-agent", value: "Waypost" },
    ],
    body: "ü",
    isBodyWhole: true,
  });
  const cut = await addReceived(ctx, { body: "ü", bodyBytes: 3 });
  expect(await getReceived({ ctx, input: { receivedId: cut } })).toMatchObject({ isBodyWhole: false });
  const agent = await asMember(ctx, "agent");
  await expect(getReceived({ ctx: agent, input: { receivedId } })).rejects.toMatchObject({
    code: "permission_denied",
  });
});
