import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { type Person, personNamed } from "@/server/adapters/whatsapp/person";
import { ensurePersonIn } from "@/server/domain/contacts/ensure";
import { recordPreferenceIn } from "@/server/domain/contacts/record-preference";
import { emptyUnusedContacts } from "@/server/domain/erasure/empty-contact";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { errorOf } from "@/server/domain/keys/testing";
import { receiveText } from "@/server/domain/messages/receive/receive";
import { asKey, newHandle } from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { placesOf } from "@/server/domain/retention/testing";
import { createWebhookInput } from "./endpoints/schemas";
import { createWebhook } from "./endpoints/create";
import { callEndpoint } from "./deliver/call";
import { claimDeliveries } from "./deliver/claim";
import { listDeliveriesInput } from "./deliver/delivery-schemas";
import { inspectDelivery } from "./deliver/inspect-delivery";
import { listDeliveries } from "./deliver/list-deliveries";
import { recordDeliveries } from "./deliver/record";
import { redeliverWebhook } from "./deliver/redeliver";
import { replayWebhooks } from "./replay/replay";
import { addEndpoint, deliveriesOf, openWebhookWorld, type WebhookWorld } from "./testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let channelId: string;
let id: string;

beforeAll(async () => void (world = await openWebhookWorld({ database: "own" })));
beforeEach(async () => {
  ctx = { ...(await createTestOrganization(world.services)), services: world.services };
  channelId = await connectTestChannel(ctx, true);
  ({ id } = await addEndpoint(ctx, { url: world.receiver.url, events: ["contact.opted_out"] }));
  world.receiver.answersStatus(204);
});
afterAll(() => world.close());

/** A new customer who opts out by a word. @returns the contact's id and number. */
async function optOut(of = channelId) {
  const from = newHandle();
  const upstreamId = `wamid.${randomUUID()}`;
  const input = { channelId: of, from, profileName: "Ana", upstreamId, body: "STOP", at: new Date() };
  const { contactId } = await receiveText({ ctx, input });
  return { contactId, from };
}

const decide = (contactId: string, isWanted: boolean) =>
  world.sql.begin((tx) =>
    recordPreferenceIn(tx, ctx.actor.organizationId, contactId, { isWanted, at: null, source: "api" }),
  );

const list = (query: object = {}, as: Context = ctx) =>
  listDeliveries({ ctx: as, input: listDeliveriesInput.parse({ id, ...query }) });

describe("a delivery about a contact", () => {
  test("names the contact and no message, and is found by the contact", async () => {
    const [first, second] = [await optOut(), await optOut()];
    const { data } = await list({ order: "newest" });
    expect(data.map(({ contact_id: contactId, message_id: messageId }) => [contactId, messageId])).toEqual([
      [second.contactId, null],
      [first.contactId, null],
    ]);
    const found = await list({ contact_id: first.contactId });
    expect(found.data.map((one) => one.contact_id)).toEqual([first.contactId]);
    expect((await list({ contact_id: first.contactId, message_id: randomUUID() })).data).toEqual([]);
    const owner = await asMember(ctx, "owner");
    const inspected = await inspectDelivery({
      ctx: owner,
      input: { id, delivery_id: found.data[0]?.id ?? "" },
    });
    expect(inspected.contact_id).toBe(first.contactId);
  });

  test("isn't found by another organization", async () => {
    const { contactId } = await optOut();
    const other = await createTestOrganization(world.services);
    const own = await addEndpoint(other, { url: null });
    const input = listDeliveriesInput.parse({ id: own.id, contact_id: contactId });
    expect((await listDeliveries({ ctx: other, input })).data).toEqual([]);
  });

  test("is seen by a key that may use a channel of the contact, and by no other", async () => {
    const second = await connectTestChannel(ctx);
    const { contactId } = await optOut(second);
    const [delivery] = (await list()).data;
    await world.sql`update webhook_endpoints set channel_ids = ${[channelId, second]}::uuid[] where id = ${id}`;
    const keyFor = (channelIds: string[]) => asKey(ctx, { scopes: ["webhooks:manage"], channelIds });
    const [allowed, refused] = [await keyFor([channelId, second]), await keyFor([channelId])];
    expect((await list({}, allowed)).data.map((one) => one.contact_id)).toEqual([contactId]);
    await world.sql`update webhook_endpoints set channel_ids = ${[channelId]}::uuid[] where id = ${id}`;
    expect((await list({}, refused)).data).toEqual([]);
    const again = redeliverWebhook({ ctx: refused, input: { id, delivery_id: delivery?.id ?? "" } });
    expect((await errorOf(again))?.code).toBe("webhook_delivery_not_found");
  });

  test("is replayed, unless the endpoint is limited to channels where the contact has no conversation", async () => {
    await optOut();
    await world.sql`
      update webhook_deliveries set state = 'failed', next_attempt_at = null, ended_at = now() where endpoint_id = ${id}`;
    const since = new Date(Date.now() - 60_000).toISOString();
    const count = () => replayWebhooks({ ctx, input: { id, since, only: "failed", dry_run: true } });
    expect(await count()).toMatchObject({ count: 1 });
    const second = await connectTestChannel(ctx);
    await world.sql`update webhook_endpoints set channel_ids = ${[second]}::uuid[] where id = ${id}`;
    expect(await count()).toMatchObject({ count: 0 });
  });

  test("is given to a new endpoint that begins earlier, by the contact's channels", async () => {
    const second = await connectTestChannel(ctx);
    const [here, there] = [await optOut(), await optOut(second)];
    const since = new Date(Date.now() - 60_000).toISOString();
    const make = (channelIds: string[] | null) =>
      createWebhook({ ctx, input: createWebhookInput.parse({ url: null, since, channel_ids: channelIds }) });
    const [all, limited] = [await make(null), await make([second])];
    const contactsOf = async (endpointId: string) =>
      (await list({ id: endpointId, type: "contact.opted_out" })).data.map((one) => one.contact_id);
    expect(new Set(await contactsOf(all.id))).toEqual(new Set([here.contactId, there.contactId]));
    expect(await contactsOf(limited.id)).toEqual([there.contactId]);
  });
});

describe("events about an erased contact", () => {
  test("name nobody any more, in no table, and are neither replayed nor redelivered", async () => {
    world.receiver.answers((response, { body }) => void response.end(body));
    const { contactId, from } = await optOut();
    const [claimed] = await claimDeliveries(world.services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    const attemptResult = await callEndpoint(world.services, claimed);
    await recordDeliveries(world.services, [{ delivery: claimed, attemptResult, isRetried: true }]);
    expect(await placesOf(world.sql, [from])).toEqual(
      expect.arrayContaining(["webhook_attempts.answer", "webhook_events.body"]),
    );
    await eraseContact({ ctx, input: { contactId } });
    expect(await placesOf(world.sql, [from])).toEqual([]);
    const again = redeliverWebhook({ ctx, input: { id, delivery_id: claimed.id } });
    expect((await errorOf(again))?.code).toBe("webhook_event_erased");
    const since = new Date(Date.now() - 60_000).toISOString();
    const replay = replayWebhooks({ ctx, input: { id, since, only: "all", dry_run: true } });
    expect(await replay).toMatchObject({ count: 0 });
  });

  test("keep no response that arrives after the erasure", async () => {
    world.receiver.answers((response, { body }) => void response.end(body));
    const { contactId, from } = await optOut();
    const [claimed] = await claimDeliveries(world.services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    const attemptResult = await callEndpoint(world.services, claimed);
    await eraseContact({ ctx, input: { contactId } });
    await recordDeliveries(world.services, [{ delivery: claimed, attemptResult, isRetried: true }]);
    expect(await placesOf(world.sql, [from])).toEqual([]);
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "delivered", body: null }]);
  });

  test("are erased too where retention empties a contact, which keeps the number for the opt-out only", async () => {
    const { contactId, from } = await optOut();
    await world.sql`
      update messages set content = '{}', recipient = null, sender_number = null, sender_user_id = null,
        erased_at = now() where contact_id = ${contactId}`;
    await world.sql`
      update webhook_events set body = null where type = 'message.received'
        and organization_id = ${ctx.actor.organizationId}`;
    expect(await placesOf(world.sql, [from])).toContain("webhook_events.body");
    expect(await emptyUnusedContacts({ ctx, input: { contactIds: [contactId] } })).toBe(1);
    expect(await placesOf(world.sql, [from])).toEqual([
      "contact_identities.canonical",
      "contact_identities.handle",
    ]);
    await decide(contactId, true);
    expect(await emptyUnusedContacts({ ctx, input: { contactIds: [contactId] } })).toBe(1);
    expect(await placesOf(world.sql, [from])).toEqual([]);
  });

  test("are erased too if they are about a contact without a name that was merged into the emptied one", async () => {
    const userId = `DE.${randomUUID().replaceAll("-", "")}`;
    const { organizationId } = ctx.actor;
    const meet = (person: Person) =>
      world.sql.begin((tx) => ensurePersonIn(tx, organizationId, { person, name: null, at: new Date() }));
    const { contactId: mergedId } = await meet(personNamed(userId));
    await decide(mergedId, false);
    await decide(mergedId, true);
    const number = newHandle();
    const { contactId } = await meet(personNamed(number));
    await meet(personNamed(number, userId));
    expect(contactId).not.toBe(mergedId);
    expect(await placesOf(world.sql, [userId])).toContain("webhook_events.body");
    expect(await emptyUnusedContacts({ ctx, input: { contactIds: [contactId] } })).toBe(1);
    expect(await placesOf(world.sql, [userId])).toEqual([]);
  });
});
