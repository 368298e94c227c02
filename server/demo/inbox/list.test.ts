import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@/db/schema";
import { asMember } from "../../organizations/testing";
import { setWebhook } from "../../webhooks/set";
import { getReceived } from "./get";
import { listInbox } from "./list";
import { addReceived, type InboxWorld, newDemo, openInboxWorld } from "./testing";

let world: InboxWorld;
beforeAll(async () => void (world = await openInboxWorld()));
afterAll(() => world.close());

test("is newest first, without bodies", async () => {
  const { ctx } = await newDemo(world);
  const messageId = newId();
  const first = await addReceived(ctx, { messageId, receivedAt: new Date("2026-01-31T12:00:00Z") });
  const second = await addReceived(ctx, { fault: "unsigned", type: null });
  const { webhooks } = await listInbox({ ctx });
  expect(webhooks).toEqual([
    { id: second, receivedAt: expect.any(Date), fault: "unsigned", type: null, messageId: null },
    { id: first, receivedAt: new Date("2026-01-31T12:00:00Z"), fault: null, type: "message.sent", messageId },
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
