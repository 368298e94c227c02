import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyStatuses } from "@/server/domain/messages/status/apply-statuses";
import { failWithoutCall } from "@/server/domain/messages/deliver/fail-without-call";
import { receiveText } from "@/server/domain/messages/receive/receive";
import { newHandle, openConversation, queueText, startCall } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { WEBHOOK_EVENT_SCHEMAS } from "./event-schemas";
import { storeEvents } from "./store-events";
import { addEndpoint, deliveriesOf, openWebhookWorld, type WebhookWorld } from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());

/** A customer writes a text on the channel. @returns its id. */
async function write(channelId = world.channelId, body = "Is it there yet?"): Promise<string> {
  const from = newHandle();
  const { messageId } = await receiveText({
    ctx: world.ctx,
    input: { channelId, from, profileName: "Ana", upstreamId: `wamid.${randomUUID()}`, body, at: new Date() },
  });
  return messageId;
}

const statesOf = async (endpointId: string) =>
  (await deliveriesOf(world, endpointId)).map(({ state }) => state);

describe("an event", () => {
  test("goes to every endpoint that wants its type, and to no other", async () => {
    const wanting = await addEndpoint(world.ctx, { url: world.receiver.url });
    const other = await addEndpoint(world.ctx, { url: world.receiver.url, events: ["message.sent"] });
    const removed = await addEndpoint(world.ctx, { url: world.receiver.url, deletedAt: new Date() });
    const stranger = await addEndpoint(
      { ...(await createTestOrganization(world.services)), services: world.services },
      { url: world.receiver.url },
    );
    await write();
    expect(await statesOf(wanting.id)).toEqual(["pending"]);
    expect(await statesOf(other.id)).toEqual([]);
    expect(await statesOf(removed.id)).toEqual([]);
    expect(await statesOf(stranger.id)).toEqual([]);
    expect(world.notifiedEndpoints).toContain(wanting.id);
    expect(world.notifiedEndpoints).not.toContain(other.id);
  });

  test("of another channel doesn't go to an endpoint that is limited to some", async () => {
    const second = await connectTestChannel(world.ctx);
    const limited = await addEndpoint(world.ctx, { url: null, channelIds: [second] });
    await write();
    expect(await statesOf(limited.id)).toEqual([]);
    await write(second);
    expect(await statesOf(limited.id)).toEqual(["available"]);
  });

  test("is kept as skipped for an endpoint that is disabled", async () => {
    const disabled = await addEndpoint(world.ctx, {
      url: world.receiver.url,
      disabledAt: new Date(),
      disabledReason: "member",
    });
    await write();
    expect(await statesOf(disabled.id)).toEqual(["skipped"]);
    expect(world.notifiedEndpoints).not.toContain(disabled.id);
  });

  test("has the time at which it was written, the same as its delivery, in the order of what happened", async () => {
    const { id } = await addEndpoint(world.ctx, { url: null });
    const messageId = await queueText(
      world.ctx,
      (await openConversation(world.ctx, world.channelId)).threadId,
    );
    const { organizationId } = world.ctx.actor;
    const happened = { organizationId, messageId, channelId: world.channelId, at: new Date(), data: {} };
    const begunAt = await world.sql.begin(async (tx) => {
      const [row] = await tx<{ at: string }[]>`select now()::text as at`;
      await storeEvents(
        tx,
        Array.from({ length: 20 }, (_, sequence) => ({
          ...happened,
          type: "message.sent" as const,
          sequence,
        })),
      );
      return row?.at ?? "";
    });
    const rows = await world.sql<{ sequence: number; isLater: boolean; isSame: boolean }[]>`
      select v.sequence, v.created_at > ${begunAt}::text::timestamptz as "isLater", v.created_at = d.created_at as "isSame"
      from webhook_deliveries d join webhook_events v on v.id = d.event_id
      where d.endpoint_id = ${id} and v.message_id = ${messageId} order by v.created_at, v.id`;
    const reported = rows.filter(({ isLater, isSame }) => isLater && isSame);
    expect(reported.map(({ sequence }) => sequence).filter((sequence) => sequence < 20)).toEqual(
      Array.from({ length: 20 }, (_, sequence) => sequence),
    );
  });

  test("that nobody wants isn't stored", async () => {
    const ctx = { ...(await createTestOrganization(world.services)), services: world.services };
    await openConversation(ctx, await connectTestChannel(ctx));
    const rows =
      await world.sql`select 1 from webhook_events where organization_id = ${ctx.actor.organizationId}`;
    expect(rows).toHaveLength(0);
  });

  test("has one body for all endpoints, and a delivery id for each, in the order of time", async () => {
    const endpoints = [
      await addEndpoint(world.ctx, { url: null }),
      await addEndpoint(world.ctx, { url: null }),
    ];
    const before = Date.now();
    const messageId = await write();
    const [first, second] = await Promise.all(
      endpoints.map(async ({ id }) => (await deliveriesOf(world, id))[0]),
    );
    expect(first?.body).toBe(second?.body);
    expect(first?.id).not.toBe(second?.id);
    expect(first?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const made = Number.parseInt(first?.id.replaceAll("-", "").slice(0, 12) ?? "", 16);
    expect(Math.abs(made - before)).toBeLessThan(60_000);
    const rows = await world.sql`select 1 from webhook_events where message_id = ${messageId}`;
    expect(rows).toHaveLength(1);
  });

  test("is gone with the transaction that fails", async () => {
    const { id } = await addEndpoint(world.ctx, { url: null });
    const { organizationId } = world.ctx.actor;
    const messageId = await write();
    const undone = world.services.sql.begin(async (tx) => {
      const event = {
        organizationId,
        messageId,
        channelId: world.channelId,
        sequence: 7,
        at: new Date(),
        data: {},
      };
      await storeEvents(tx, [{ ...event, type: "message.read" }]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect((await deliveriesOf(world, id)).map(({ type }) => type)).toEqual(["message.received"]);
  });
});

describe("what is told", () => {
  test("of a message that a customer wrote is its content, and who wrote it", async () => {
    const { id } = await addEndpoint(world.ctx, { url: null, events: ["message.received"] });
    const messageId = await write(world.channelId, "Wo bleibt es? 🚚");
    const [delivery] = await deliveriesOf(world, id);
    const event = WEBHOOK_EVENT_SCHEMAS["message.received"].parse(JSON.parse(delivery?.body ?? ""));
    expect(event.data).toMatchObject({
      message_id: messageId,
      channel_id: world.channelId,
      type: "text",
      content: { type: "text", text: { body: "Wo bleibt es? 🚚" } },
      from: { kind: "whatsapp", user_id: null, name: "Ana" },
    });
    expect(event.data.from.handle).toMatch(/^49151/);
    expect(Object.keys(event.data.content)).toEqual(["type", "text"]);
  });

  test("of a message that came twice comes once", async () => {
    const { id } = await addEndpoint(world.ctx, { url: null });
    const input = {
      channelId: world.channelId,
      from: newHandle(),
      profileName: null,
      upstreamId: `wamid.${randomUUID()}`,
      body: "Hello",
      at: new Date(),
    };
    for (let i = 0; i < 2; i++) await receiveText({ ctx: world.ctx, input });
    expect(await deliveriesOf(world, id)).toHaveLength(1);
  });

  test("when only `read` comes: sent, delivered by inference, read, each as it was then", async () => {
    const { id } = await addEndpoint(world.ctx, {
      url: null,
      events: ["message.sent", "message.delivered", "message.read"],
    });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const messageId = await queueText(world.ctx, threadId);
    await startCall(world, messageId);
    const report = {
      upstreamId: `wamid.${messageId}`,
      messageId,
      upstreamAt: null,
      recipient: null,
      errorCode: null,
    };
    for (const kind of ["sent", "read"] as const) {
      const reports = [{ ...report, kind, detail: null }];
      await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports } });
    }
    const reported = (await deliveriesOf(world, id)).map(({ body }) => JSON.parse(body ?? ""));
    expect(
      reported.map(({ type, data }) => [
        type,
        data.sequence,
        data.previous_state,
        data.delivery_state,
        data.inferred,
      ]),
    ).toEqual([
      ["message.sent", 1, "queued", "sent", false],
      ["message.delivered", 2, "sent", "delivered", true],
      ["message.read", 3, "delivered", "read", false],
    ]);
    expect(reported.map(({ data }) => [data.delivered_at !== null, data.read_at !== null])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    expect(reported.map(({ data }) => data.content)).toEqual(
      Array.from({ length: 3 }, () => ({ text: { body: "Good morning" } })),
    );
  });

  test("of a failure that was presumed, and then proved wrong: both, the second without an error", async () => {
    const { id } = await addEndpoint(world.ctx, {
      url: null,
      events: ["message.failed", "message.delivered"],
    });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const messageId = await queueText(world.ctx, threadId);
    await failWithoutCall(world.services, [{ id: messageId }], "expired");
    const report = {
      upstreamId: `wamid.${messageId}`,
      messageId,
      upstreamAt: null,
      recipient: null,
      errorCode: null,
    };
    const reports = [{ ...report, kind: "delivered" as const, detail: null }];
    await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports } });
    const reported = (await deliveriesOf(world, id)).map(({ body }) => JSON.parse(body ?? ""));
    expect(
      reported.map(({ data }) => [
        data.sequence,
        data.previous_state,
        data.delivery_state,
        data.error?.code ?? null,
      ]),
    ).toEqual([
      [1, "queued", "failed", "expired"],
      [2, "failed", "delivered", null],
    ]);
  });
});
