import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { openConversation, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { setRetention } from "@/server/domain/organizations/set-retention";
import { claimDeliveries } from "@/server/domain/webhooks/deliver/claim";
import { recordDeliveries } from "@/server/domain/webhooks/deliver/record";
import { addEndpoint, addPastDeliveries, deliveriesOf } from "@/server/domain/webhooks/testing";
import { toAttemptResult } from "@/server/domain/webhooks/endpoints/attempt-result";
import { enforceRetention } from "./enforce";
import { inOwnOrganization, passDays, sentText } from "./testing";

let shared: SendWorld;

beforeAll(async () => void (shared = await openSendWorld({ database: "own" })));
afterAll(() => shared.close());

async function withEndpoint(url: string | null) {
  const { world } = await inOwnOrganization(shared);
  const { id } = await addEndpoint(world.ctx, { url });
  return { world, id, customer: await openConversation(world.ctx, world.channelId) };
}

async function pass(world: SendWorld, days: number): Promise<void> {
  const { organizationId } = world.ctx.actor;
  for (const table of ["webhook_events", "webhook_deliveries", "webhook_replays"])
    await world.sql`
      update ${world.sql(table)} set created_at = created_at - make_interval(days => ${days})
      where organization_id = ${organizationId}`;
}

test("a delivery is kept for 30 days, and deleted with its event and its attempts", async () => {
  const { world, id } = await withEndpoint("https://hooks.example.com/");
  const [delivery] = await deliveriesOf(world, id);
  await world.sql`
    insert into webhook_attempts (organization_id, delivery_id, number)
    values (${world.ctx.actor.organizationId}, ${delivery?.id ?? null}, 1)`;
  await world.sql`
    insert into webhook_replays (organization_id, endpoint_id, replay_id, "only", since, until, count)
    values (${world.ctx.actor.organizationId}, ${id}, gen_random_uuid(), 'failed', now(), now(), 0)`;
  await pass(world, 29);
  await enforceRetention(world.services);
  expect(await deliveriesOf(world, id)).toHaveLength(1);
  await pass(world, 2);
  await enforceRetention(world.services);
  expect(await deliveriesOf(world, id)).toEqual([]);
  const left = await world.sql`
    select 1 from webhook_events where organization_id = ${world.ctx.actor.organizationId}
    union all select 1 from webhook_attempts where organization_id = ${world.ctx.actor.organizationId}
    union all select 1 from webhook_replays where organization_id = ${world.ctx.actor.organizationId}`;
  expect(left).toHaveLength(0);
});

test("what waits to be fetched is kept for seven days", async () => {
  const { world, id } = await withEndpoint(null);
  await pass(world, 6);
  await enforceRetention(world.services);
  expect(await deliveriesOf(world, id)).toMatchObject([{ state: "available" }]);
  await pass(world, 2);
  await enforceRetention(world.services);
  expect(await deliveriesOf(world, id)).toEqual([]);
});

test("what a customer wrote goes when the organization's messages go, though its delivery stays", async () => {
  const { world, id } = await withEndpoint("https://hooks.example.com/");
  await setRetention({ ctx: world.ctx, input: { days: 2 } });
  await passDays(world.ctx, 3);
  await enforceRetention(world.services);
  expect(await deliveriesOf(world, id)).toMatchObject([{ type: "message.received", body: null }]);
});

test("what was told of a message's state stays when the message goes, but not what the endpoint answered", async () => {
  const { world, id, customer } = await withEndpoint("https://hooks.example.com/");
  const messageId = await sentText(world, customer.threadId);
  const [sent] = await addPastDeliveries(world.ctx, id, { type: "message.sent", messageId, secondsAgo: 0 });
  await world.sql`
    insert into webhook_attempts (organization_id, delivery_id, number, http_status, answer)
    values (${world.ctx.actor.organizationId}, ${sent ?? null}, 1, 200, 'Told the customer')`;
  await setRetention({ ctx: world.ctx, input: { days: 2 } });
  await passDays(world.ctx, 3);
  await enforceRetention(world.services);
  const stored = (await deliveriesOf(world, id)).find(({ type }) => type === "message.sent");
  expect(stored).toMatchObject({
    body: expect.stringContaining("message.sent"),
    tries: [{ number: 1, httpStatus: 200, answer: null }],
  });
});

test("what an endpoint answers once the contact is erased isn't kept", async () => {
  const { world, id, customer } = await withEndpoint("https://hooks.example.com/");
  const [delivery] = await claimDeliveries(world.services, id, 1);
  if (!delivery) throw new Error("Nothing was claimed");
  await eraseContact({ ctx: world.ctx, input: { contactId: customer.contactId } });
  const answered = { kind: "answered", httpStatus: 200, retryAfter: null, durationMs: 6_000 } as const;
  const attemptResult = toAttemptResult({ ...answered, answer: "Hello, customer" }, new Date());
  await recordDeliveries(world.services, [{ delivery, attemptResult, isRetried: true }]);
  expect(await deliveriesOf(world, id)).toMatchObject([
    { state: "delivered", body: null, tries: [{ httpStatus: 200, answer: null }] },
  ]);
});

test("erasing a contact takes what it wrote, and what endpoints answered to that", async () => {
  const { world, id, customer } = await withEndpoint("https://hooks.example.com/");
  const [delivery] = await deliveriesOf(world, id);
  await world.sql`
    insert into webhook_attempts (organization_id, delivery_id, number, answer)
    values (${world.ctx.actor.organizationId}, ${delivery?.id ?? null}, 1, 'Hello, customer')`;
  const other = await openConversation(world.ctx, world.channelId);
  await eraseContact({ ctx: world.ctx, input: { contactId: customer.contactId } });
  const [erased, kept] = await deliveriesOf(world, id);
  expect(erased).toMatchObject({ body: null, tries: [{ answer: null }] });
  expect(kept?.body).toContain(other.handle);
});
