import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Person, personNamed } from "@/server/adapters/whatsapp/person";
import { receiveMessage } from "@/server/domain/messages/receive/receive";
import { newHandle } from "@/server/domain/messages/testing";
import { WEBHOOK_EVENT_SCHEMAS } from "@/server/domain/webhooks/events/event-schemas";
import {
  addEndpoint,
  deliveriesOf,
  openWebhookWorld,
  type WebhookWorld,
} from "@/server/domain/webhooks/testing";
import { ensurePersonIn } from "./ensure";
import { renamePerson } from "./rename";

let world: WebhookWorld;
let endpointId: string;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => {
  endpointId = (await addEndpoint(world.ctx, { url: null, events: ["contact.changed"] })).id;
});
afterAll(() => world.close());

/** The data of the endpoint's events, each checked against its description. */
async function announced() {
  const schema = WEBHOOK_EVENT_SCHEMAS["contact.changed"];
  return (await deliveriesOf(world, endpointId)).map(({ body }) => {
    const event: unknown = JSON.parse(body ?? "");
    expect(schema.parse(event)).toStrictEqual(event);
    return schema.parse(event).data;
  });
}

const inSeconds = (seconds: number) => new Date((1_750_000_000 + seconds) * 1000);
const newUserId = () => `DE.${randomUUID().replaceAll("-", "")}`;

/** A message of a person; a report of WhatsApp if they have new names. */
function receive(
  from: Person,
  second: number,
  {
    becomes = null,
    upstreamId = `wamid.${randomUUID()}`,
  }: { becomes?: Person | null; upstreamId?: string } = {},
) {
  const content =
    becomes === null
      ? { type: "text", text: { body: "Hello" } }
      : { type: "system", event: { kind: "user_changed_number" } };
  return receiveMessage({
    ctx: world.ctx,
    input: {
      channelId: world.channelId,
      from,
      profileName: null,
      upstreamId,
      content,
      at: inSeconds(second),
      opensWindow: becomes === null,
      becomes,
    },
  });
}

const changed = (from: string, becomes: string, upstreamId = `wamid.${randomUUID()}`) =>
  receive(personNamed(from), 30, { becomes: personNamed(becomes), upstreamId });

const known = (...names: string[]) =>
  world.sql.begin((tx) =>
    ensurePersonIn(tx, world.ctx.actor.organizationId, {
      person: personNamed(...names),
      name: null,
      at: inSeconds(1),
    }),
  );

describe("a changed number", () => {
  test("is announced with the old and the new one, once", async () => {
    const [before, after] = [newHandle(), newHandle()];
    const upstreamId = `wamid.${randomUUID()}`;
    const { contactId } = await changed(before, after, upstreamId);
    await changed(before, after, upstreamId);
    await changed(before, after);
    const renaming = { previous: personNamed(before), now: personNamed(after), at: inSeconds(30) };
    await renamePerson({ ctx: world.ctx, input: renaming });
    expect(await announced()).toEqual([
      {
        contact_id: contactId,
        sequence: 1,
        old: { kind: "whatsapp", handle: before, user_id: null },
        new: { kind: "whatsapp", handle: after, user_id: null },
        at: inSeconds(30).toISOString(),
      },
    ]);
  });

  test("that WhatsApp reports without a message is announced too, once", async () => {
    const [number, userId] = [newHandle(), newUserId()];
    await receive(personNamed(number), 1);
    const input = { previous: personNamed(number), now: personNamed(userId), at: inSeconds(2) };
    await renamePerson({ ctx: world.ctx, input });
    await renamePerson({ ctx: world.ctx, input });
    expect(await announced()).toMatchObject([
      {
        old: { kind: "whatsapp", handle: number, user_id: null },
        new: { kind: "whatsapp", handle: number, user_id: userId },
      },
    ]);
  });

  test("to one of another contact, and back to the first, is announced each time, with the id", async () => {
    const [first, second, userId] = [newHandle(), newHandle(), newUserId()];
    await receive(personNamed(second), 30);
    const { contactId } = await known(first, userId);
    await changed(first, second);
    await changed(second, first);
    const [before, after] = [
      { kind: "whatsapp", handle: first, user_id: userId },
      { kind: "whatsapp", handle: second, user_id: userId },
    ];
    expect(await announced()).toMatchObject([
      { contact_id: contactId, sequence: 1, old: before, new: after },
      { contact_id: contactId, sequence: 2, old: after, new: before },
    ]);
  });

  test("of WhatsApp's id is announced with the number that stays", async () => {
    const [number, oldId, newId] = [newHandle(), newUserId(), newUserId()];
    await known(number, oldId);
    await changed(number, newId);
    expect(await announced()).toMatchObject([
      {
        old: { kind: "whatsapp", handle: number, user_id: oldId },
        new: { kind: "whatsapp", handle: number, user_id: newId },
      },
    ]);
  });

  test("that only a message of the same person shows is announced once, and a first id isn't", async () => {
    const [first, second, userId] = [newHandle(), newHandle(), newUserId()];
    await receive(personNamed(first), 1);
    await receive(personNamed(first, userId), 2);
    expect(await announced()).toEqual([]);
    for (const at of [3, 4]) await receive(personNamed(second, userId), at);
    expect(await announced()).toMatchObject([
      {
        old: { kind: "whatsapp", handle: first, user_id: userId },
        new: { kind: "whatsapp", handle: second, user_id: userId },
        at: inSeconds(3).toISOString(),
      },
    ]);
  });

  test("that a former owner of the number loses is announced to both, and neither takes over the other's past", async () => {
    const [number, owned] = [newHandle(), newHandle()];
    const owner = await receive(personNamed(owned), 1);
    const { contactId } = await known(number);
    await changed(number, owned);
    const [lost, got] = await announced();
    const own = (handle: string | null) => ({ kind: "whatsapp", handle, user_id: null });
    expect(lost).toMatchObject({ contact_id: owner.contactId, old: own(owned), new: own(null) });
    expect(got).toMatchObject({ contact_id: contactId, old: own(number), new: own(owned) });
    const [{ mergedInto } = { mergedInto: "" }] = await world.sql<{ mergedInto: string | null }[]>`
      select merged_into as "mergedInto" from contacts where id = ${owner.contactId}`;
    expect(mergedInto).toBeNull();
  });

  test("that is reported with the new names only has the stored one as the old one", async () => {
    const [number, next, userId] = [newHandle(), newHandle(), newUserId()];
    await known(number, userId);
    const names = personNamed(next, userId);
    await receive(names, 30, { becomes: names });
    expect(await announced()).toMatchObject([
      {
        old: { kind: "whatsapp", handle: number, user_id: userId },
        new: { kind: "whatsapp", handle: next, user_id: userId },
      },
    ]);
  });
});
