import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensurePersonIn } from "@/server/domain/contacts/ensure";
import { personNamed } from "@/server/adapters/whatsapp/person";
import { drainChannel } from "../deliver/drain";
import {
  addTemplate,
  asKey,
  codeOf,
  messageRow,
  openConversation,
  openSendWorld,
  type SendWorld,
} from "../testing";
import { sendMessage } from "./send";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

const newUserId = () => `US.${randomInt(2 ** 47)}`;

const textToUser = (userId: string, id: string = randomUUID()) => ({
  client_message_id: id,
  type: "text" as const,
  to: { kind: "whatsapp_user" as const, user_id: userId },
  text: { body: "Hello" },
});

async function templateTo(userId: string) {
  const { id } = await addTemplate(world.ctx, world.channelId, {});
  const { text: _, ...message } = textToUser(userId);
  return { ...message, type: "template" as const, template: { template_submission_id: id } };
}

test("a person with a number gets the message by the id, in the conversation of the number", async () => {
  const { handle, threadId, contactId } = await openConversation(world.ctx, world.channelId);
  const userId = newUserId();
  await world.sql.begin((tx) =>
    ensurePersonIn(tx, world.ctx.actor.organizationId, {
      person: personNamed(handle, userId),
      name: null,
      at: new Date(),
    }),
  );
  const sent = await sendMessage({ ctx: world.ctx, input: textToUser(userId) });
  expect(sent).toMatchObject({ thread_id: threadId, contact_id: contactId });
  await drainChannel(world.services, world.channelId);
  const call = world.upstream.calls.find(({ messageId }) => messageId === sent.message_id);
  expect(call?.body).toMatchObject({ recipient: userId, type: "text" });
  expect(call?.body).not.toHaveProperty("to");
});

test("an unknown person becomes one contact, however many messages come at once", async () => {
  const userId = newUserId();
  const inputs = await Promise.all([1, 2, 3].map(() => templateTo(userId)));
  const sent = await Promise.all(inputs.map((input) => sendMessage({ ctx: world.ctx, input })));
  expect(new Set(sent.map(({ contact_id }) => contact_id)).size).toBe(1);
  expect(new Set(sent.map(({ thread_id }) => thread_id)).size).toBe(1);
  const names =
    await world.sql`select kind, handle, canonical from contact_identities where handle = ${userId}`;
  expect([...names]).toEqual([{ kind: "bsuid", handle: userId, canonical: userId }]);
  await drainChannel(world.services, world.channelId);
  for (const { message_id: id } of sent) expect((await messageRow(world, id)).state).toBe("sent");
});

test("an id of the parent portfolio is kept as one", async () => {
  const userId = `US.ENT.${randomInt(2 ** 47)}`;
  await sendMessage({ ctx: world.ctx, input: await templateTo(userId) });
  const [name] = await world.sql`select kind from contact_identities where handle = ${userId}`;
  expect(name).toEqual({ kind: "parent_bsuid" });
});

test("the rules are those of numbers: the window, the scopes, and repeats", async () => {
  const userId = newUserId();
  const input = textToUser(userId);
  expect(await codeOf(sendMessage({ ctx: world.ctx, input }))).toBe("outside_customer_window");
  const reader = await asKey(world.ctx, {
    scopes: ["messages:send", "contacts:read", "templates:read"],
  });
  const template = await templateTo(userId);
  expect(await codeOf(sendMessage({ ctx: reader, input: template }))).toBe("missing_scope");
  const first = await sendMessage({ ctx: world.ctx, input: template });
  expect(await sendMessage({ ctx: reader, input: template })).toMatchObject({
    message_id: first.message_id,
    deduplicated: true,
  });
  const other = { ...template, to: { kind: "whatsapp_user" as const, user_id: newUserId() } };
  expect(await codeOf(sendMessage({ ctx: world.ctx, input: other }))).toBe("idempotency_key_reused");
});
