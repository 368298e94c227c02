import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newHandle, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { bytesOf, callbackOf, post, processDue } from "./testing";

let world: SendWorld;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
});
afterAll(() => world.close());

test("callbacks of a channel are processed in the order in which they came, however PostgreSQL reads their table", async () => {
  const [channel] = await world.sql<{ phoneNumberId: string }[]>`
    select phone_number_id as "phoneNumberId" from channels where id = ${world.channelId}`;
  const phoneNumberId = channel?.phoneNumberId ?? "";
  const from = newHandle();
  const call = { id: `wacid.${randomUUID()}`, from, to: "15550783881", direction: "USER_INITIATED" };
  const ended = { ...call, event: "terminate", timestamp: "1749416400", status: "COMPLETED" };
  const connected = { ...call, event: "connect", timestamp: "1749416383" };
  for (const one of [ended, connected]) {
    const body = bytesOf(callbackOf("calls", phoneNumberId, { calls: [one] }));
    expect(await post(world.services, world.channelId, body)).toBe(200);
  }
  // The table stores them in the other order, and PostgreSQL reads it in storage order.
  await world.sql`
    update upstream_callbacks set received_at = now() - make_interval(
      secs => case when convert_from(body, 'UTF8') like '%connect%' then 20 else 10 end)`;
  await world.sql`
    insert into upstream_callbacks (id, organization_id, channel_id, body)
    select gen_random_uuid(), organization_id, channel_id, '{}' from upstream_callbacks, generate_series(1, 30)`;
  await world.sql`analyze upstream_callbacks`;
  await processDue(world.services);
  const [conversation] = await world.sql<{ lastInboundAt: Date }[]>`
    select v.last_inbound_at as "lastInboundAt" from conversations v
    join contact_identities i on i.contact_id = v.contact_id where i.handle = ${from}`;
  expect(conversation).toEqual({ lastInboundAt: new Date("2025-06-08T20:59:43Z") });
});
