import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newHandle, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { bytesOf, callback, inbound, post, processDue, status } from "@/server/domain/callbacks/testing";

let world: SendWorld;
let phoneNumberId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  const [row] = await world.sql<{ number: string }[]>`
    select phone_number_id as number from channels where id = ${world.channelId}`;
  phoneNumberId = row?.number ?? "";
});
afterAll(() => world.close());

/** Returns whether the customer's window is open after the change. Null if they have no conversation. */
async function isOpenAfter(from: string, change: object): Promise<boolean | null> {
  expect(await post(world.services, world.channelId, bytesOf(callback(phoneNumberId, change)))).toBe(200);
  await processDue(world.services);
  const [row] = await world.sql<{ isOpen: boolean }[]>`
    select v.last_inbound_at is not null as "isOpen" from conversations v
    join contact_identities i on i.contact_id = v.contact_id where i.handle = ${from}`;
  return row?.isOpen ?? null;
}

const CASES: readonly (readonly [what: string, opens: boolean, fields: object])[] = [
  ["a text", true, {}],
  ["a type of tomorrow", true, { type: "hologram", hologram: {} }],
  ["a name of object methods", true, { type: "constructor" }],
  ["an opened chat", true, { type: "request_welcome" }],
  ["a poll, which isn't passed on", true, { type: "unsupported", unsupported: { type: "poll_creation" } }],
  ["what isn't passed on, without a word why", true, { type: "unsupported" }],
  ["what isn't passed on, under its older name", true, { type: "unknown", errors: [{ code: 131051 }] }],
  ["a disappearing message", true, { type: "ephemeral" }],
  ["a vote", false, { type: "unsupported", unsupported: { type: "poll_update" } }],
  ["a pin", false, { type: "unsupported", unsupported: { type: "pin" } }],
  ["an edit that isn't passed on", false, { type: "unsupported", unsupported: { type: "edit" } }],
  ["a reaction", false, { type: "reaction", reaction: { message_id: "wamid.1", emoji: "👍" } }],
  ["an edit", false, { type: "edit", edit: { original_message_id: "wamid.1" } }],
  ["a deletion", false, { type: "revoke", revoke: { original_message_id: "wamid.1" } }],
  ["another identity", false, { type: "system", system: { type: "customer_identity_changed" } }],
];

test.each(CASES)("%s: the window opens? %s", async (_, opens, fields) => {
  const from = newHandle();
  expect(await isOpenAfter(from, inbound(from, `wamid.${randomUUID()}`, fields))).toBe(opens);
});

test("a new number opens no window", async () => {
  const [from, to] = [newHandle(), newHandle()];
  const system = { type: "user_changed_number", wa_id: to };
  const change = inbound(from, `wamid.${randomUUID()}`, { type: "system", system });
  expect(await isOpenAfter(from, change)).toBe(false);
});

test("a call opens the window", async () => {
  const from = newHandle();
  const calls = [{ id: `wacid.${randomUUID()}`, from, direction: "USER_INITIATED", event: "connect" }];
  expect(await isOpenAfter(from, { calls })).toBe(true);
});

test("a status opens no window", async () => {
  const from = newHandle();
  const read = status("read", `wamid.${randomUUID()}`, { recipient_id: from });
  expect(await isOpenAfter(from, { statuses: [read] })).toBeNull();
});
