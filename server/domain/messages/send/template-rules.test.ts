import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEMPLATE_STATES } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import type { SendMessageInput } from "../model/send-request";
import { sendMessage } from "./send";
import { addTemplate, asKey, newHandle, openConversation, openSendWorld, type SendWorld } from "../testing";

type Template = NonNullable<SendMessageInput["template"]>;

let world: SendWorld;
let second: string;
let threadId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  second = await connectTestChannel(world.ctx);
  ({ threadId } = await openConversation(world.ctx, world.channelId));
  // No window is open: templates need none.
  await world.sql`update conversations set last_inbound_at = now() - interval '3 days'`;
});
afterAll(() => world.close());

const send = (template: Template, changes: Partial<SendMessageInput> = {}, ctx: Context = world.ctx) => {
  const base = { client_message_id: randomUUID(), type: "template" as const, template };
  return sendMessage({
    ctx,
    input: { ...base, ...("to" in changes ? {} : { thread_id: threadId }), ...changes },
  });
};

/** Returns the error, its field and its message; null if it succeeded. */
async function errorOf(...args: Parameters<typeof send>) {
  try {
    await send(...args);
    return null;
  } catch (error) {
    const { code, field, message } = Object(error);
    return { code, field, message };
  }
}

const NOT_APPROVED = { code: "template_not_approved", field: "template" };
const MISMATCH = { code: "template_variables_mismatch", field: "template.variables" };

describe("a template", () => {
  test("is found by its id, in any case, or by name and language, and needs no window", async () => {
    const { id, name, language } = await addTemplate(world.ctx, world.channelId);
    for (const named of [
      { template_submission_id: id },
      { template_submission_id: id.toUpperCase() },
      { name, language },
      { template_submission_id: id, name, language },
      { template_submission_id: id, name },
      { template_submission_id: id, language },
      { template_submission_id: id, name: null, language: null, variables: null },
    ]) {
      expect(await errorOf(named)).toBeNull();
    }
  });

  test("that the message is linked to is the one that was meant", async () => {
    const mine = await addTemplate(world.ctx, world.channelId);
    const { name, language } = await addTemplate(world.ctx, second, { name: mine.name });
    const { message_id } = await send({ name, language });
    const [row] = await world.sql`select type, template_id, upload_id from messages where id = ${message_id}`;
    expect(row).toEqual({ type: "template", template_id: mine.id, upload_id: null });
  });

  test("by another name or language than it has isn't found", async () => {
    const { name, language } = await addTemplate(world.ctx, world.channelId);
    for (const named of [
      { name, language: "en" },
      { name: name.toUpperCase(), language },
    ]) {
      expect(await errorOf(named)).toMatchObject(NOT_APPROVED);
    }
  });

  test("by an id beside another name or language is a contradiction, on whichever channel it is", async () => {
    for (const channelId of [world.channelId, second]) {
      const { id, name, language } = await addTemplate(world.ctx, channelId);
      const other = await addTemplate(world.ctx, world.channelId);
      const contradictions: [Template, string][] = [
        [{ template_submission_id: id, name: other.name }, "template.name"],
        [{ template_submission_id: id, name: "" }, "template.name"],
        [{ template_submission_id: id, name, language: "de" }, "template.language"],
        [{ template_submission_id: id.toUpperCase(), language: "de" }, "template.language"],
        [{ template_submission_id: other.id, name, language }, "template.name"],
        [{ template_submission_id: id, name: other.name, language: "de" }, "template.name"],
      ];
      for (const [named, field] of contradictions)
        expect(await errorOf(named)).toMatchObject({ code: "validation_failed", field });
    }
  });

  test("by an unknown id isn't found, whatever stands beside it", async () => {
    const { name, language } = await addTemplate(world.ctx, world.channelId);
    const named = { template_submission_id: randomUUID(), name, language };
    expect(await errorOf(named)).toMatchObject(NOT_APPROVED);
  });

  test.each(TEMPLATE_STATES.filter((state) => state !== "approved"))(
    "that is %s can't be sent, and the refusal says so",
    async (state) => {
      const { id, name, language } = await addTemplate(world.ctx, world.channelId, { state });
      const error = { ...NOT_APPROVED, message: expect.stringContaining(` ${state}`) };
      expect(await errorOf({ template_submission_id: id })).toEqual(error);
      expect(await errorOf({ name, language })).toEqual(error);
    },
  );

  test("of another channel than the message's isn't found, by id nor by name", async () => {
    const { id, name, language } = await addTemplate(world.ctx, second);
    expect(await errorOf({ template_submission_id: id })).toMatchObject(NOT_APPROVED);
    expect(await errorOf({ name, language })).toMatchObject(NOT_APPROVED);
    const to = { kind: "whatsapp" as const, handle: newHandle() };
    expect(await errorOf({ name, language }, { to, channel_id: second })).toBeNull();
  });

  test("of another organization is refused in the words for one that doesn't exist", async () => {
    const ctx = await createTestOrganization(world.services);
    const foreign = await addTemplate(ctx, await connectTestChannel(ctx));
    const unknown = await errorOf({ template_submission_id: randomUUID() });
    expect(unknown).toMatchObject(NOT_APPROVED);
    expect(await errorOf({ template_submission_id: foreign.id })).toEqual(unknown);
    expect(await errorOf({ name: foreign.name, language: foreign.language })).toEqual(unknown);
    const contradiction = { template_submission_id: foreign.id, name: "other", language: "de" };
    expect(await errorOf(contradiction)).toEqual(unknown);
  });

  test("can be sent to a number that nobody knew: it makes contact and conversation", async () => {
    const { id } = await addTemplate(world.ctx, world.channelId);
    const handle = newHandle();
    const answer = await send({ template_submission_id: id }, { to: { kind: "whatsapp", handle } });
    const [row] = await world.sql`
      select v.contact_id, m.template_id from messages m join conversations v on v.id = m.conversation_id
      where m.id = ${answer.message_id}`;
    expect(row).toEqual({ contact_id: answer.contact_id, template_id: id });
  });

  test("needs the scope templates:read, before a repeat is answered", async () => {
    const { id } = await addTemplate(world.ctx, world.channelId);
    const ctx = await asKey(world.ctx, { scopes: ["messages:send", "contacts:read", "contacts:write"] });
    const error = await errorOf({ template_submission_id: id }, {}, ctx);
    expect(error).toMatchObject({
      code: "missing_scope",
      message: expect.stringContaining("templates:read"),
    });
    const client_message_id = randomUUID();
    expect(await errorOf({ template_submission_id: id }, { client_message_id })).toBeNull();
    expect(await errorOf({ template_submission_id: id }, { client_message_id }, ctx)).toEqual(error);
  });
});

test("20 concurrent templates to the two written forms of one new number, by two processes: one contact, one conversation", async () => {
  const { id } = await addTemplate(world.ctx, world.channelId);
  const other = { ...world.ctx, services: { ...world.services } };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      send(
        { template_submission_id: id },
        { to: { kind: "whatsapp", handle: index % 2 === 0 ? "5511987650021" : "551187650021" } },
        index % 4 < 2 ? world.ctx : other,
      ),
    ),
  );
  expect(new Set(answers.map((answer) => answer.contact_id)).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.thread_id)).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.message_id)).size).toBe(20);
});

describe("the variables of a template", () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await addTemplate(world.ctx, world.channelId, { variables: ["1", "2", "header.url"] }));
  });
  const whole = { "1": "Ana", "2": "A-1", "header.url": "https://8.8.8.8/a.png" };
  const withVariables = (variables: Template["variables"]) =>
    errorOf({ template_submission_id: id, variables });

  test("are given all, by name, in any order", async () => {
    expect(await withVariables(whole)).toBeNull();
    expect(await withVariables(Object.fromEntries(Object.entries(whole).toReversed()))).toBeNull();
  });

  test.each([
    ["none", undefined, ["1", "2", "header.url"]],
    ["an empty object", {}, ["1", "2", "header.url"]],
    ["one too few", { ...whole, "2": undefined }, ["2"]],
    ["one that is null", { ...whole, "1": null }, ["1"]],
    ["one by another name", { ...whole, "1": null, one: "Ana" }, ["1", "one"]],
    ["one too many", { ...whole, "3": "x" }, ["3"]],
    ["a name that every object has", { ...whole, "2": null, toString: "x" }, ["2", "toString"]],
  ])("are refused where the message brings %s, by name", async (_, variables, names) => {
    const error = await withVariables(variables);
    expect(error).toMatchObject(MISMATCH);
    for (const name of names) expect(error?.message).toContain(`\`${name}\``);
  });

  test("that are null beside those that are needed count as absent", async () => {
    expect(await withVariables({ ...whole, "3": null })).toBeNull();
  });

  test("may be none where the template has none", async () => {
    const plain = await addTemplate(world.ctx, world.channelId);
    expect(await errorOf({ template_submission_id: plain.id, variables: {} })).toBeNull();
    expect(await errorOf({ template_submission_id: plain.id, variables: { "1": "x" } })).toMatchObject(
      MISMATCH,
    );
  });

  test("are named in a refusal as far as it helps", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`x${index}-${"y".repeat(500)}`, ""]),
    );
    const error = await withVariables({ ...whole, ...many });
    expect(error?.message).toMatch(/and others/);
    expect(error?.message.length).toBeLessThan(1000);
  });

  test("that are the address of a file are held to the rules for media, once the names are right", async () => {
    const url = "https://169.254.169.254/";
    expect(await withVariables({ ...whole, "header.url": url })).toMatchObject({
      code: "media_url_forbidden",
      field: "template.variables.header.url",
    });
    expect(await withVariables({ ...whole, "1": null, "header.url": url })).toMatchObject(MISMATCH);
    expect(await withVariables({ ...whole, "1": url })).toBeNull();
  });

  test("of a template that isn't approved aren't looked at", async () => {
    const pending = await addTemplate(world.ctx, world.channelId, { state: "pending", variables: ["1"] });
    expect(await errorOf({ template_submission_id: pending.id })).toMatchObject(NOT_APPROVED);
  });
});
