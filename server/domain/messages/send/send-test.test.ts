import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { isWaypostError } from "@/server/platform/errors";
import { asMember } from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { sendTestInput, sendTestMessage } from "./send-test";
import {
  addTemplate,
  asKey,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
} from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let handle: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  member = await asMember(ctx, "agent");
  ({ handle } = await openConversation(ctx, world.channelId));
});
afterAll(() => world.close());

const text = (number = handle, body = "Hello") => ({
  idempotencyToken: randomUUID(),
  channelId: world.channelId,
  number,
  content: { type: "text" as const, body },
});
const send = async (input: unknown, as: Context = member) =>
  sendTestMessage({ ctx: as, input: parseInput(sendTestInput, Object(input)) });

async function fieldOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!isWaypostError(error)) throw new Error("It wasn't refused");
  return { code: error.code, field: error.field };
}

describe("a test message", () => {
  test("goes to the number, in any spelling with its country's code, and is known by its member", async () => {
    const spelled = `+${handle.slice(0, 2)} (0)${handle.slice(2, 5)} / ${handle.slice(5)}`;
    const input = text(spelled);
    const { messageId, isRepeat } = await send(input);
    expect(isRepeat).toBe(false);
    const [row] = await world.sql`
      select client_message_id as "clientMessageId", recipient, state, member_id as "memberId", content #>> '{text,body}' as body
      from messages where id = ${messageId}`;
    expect(row).toEqual({
      clientMessageId: `test:${input.idempotencyToken}`,
      recipient: handle,
      state: "queued",
      memberId: member.actor.memberId,
      body: "Hello",
    });
  });

  test("can be a template, to a number that never wrote", async () => {
    const { id } = await addTemplate(ctx, world.channelId, { variables: ["1"] });
    const content = { type: "template", templateId: id, variables: { "1": "Ana" } };
    const { messageId } = await send({ ...text(newHandle()), content });
    const [row] = await world.sql`select template_id as "templateId" from messages where id = ${messageId}`;
    expect(row).toEqual({ templateId: id });
  });

  test("is sent once for each click, however often that comes", async () => {
    const input = text();
    const answers = await Promise.all([send(input), send(input), send(input)]);
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await codeOf(send({ ...input, content: { type: "text", body: "Else" } }))).toBe(
      "idempotency_key_reused",
    );
  });

  test("is in the audit log, without number and text", async () => {
    const { messageId } = await send(text(newHandleWithWindow, "Secret words"));
    const [row] = await world.sql`
      select action, actor_kind as "actorKind", detail from audit_log where subject_id = ${messageId}`;
    expect(row).toEqual({
      action: "message.test_sent",
      actorKind: "member",
      detail: { channelId: world.channelId, type: "text" },
    });
  });

  const newHandleWithWindow = newHandle();
  beforeAll(() => openConversation(ctx, world.channelId, newHandleWithWindow));
});

describe("the rules of sending hold, and a refusal names the form's field", () => {
  test.each([
    ["number", "invalid_whatsapp_number", () => text("0151 2345678")],
    ["number", "invalid_whatsapp_number", () => text("Ana")],
    ["content.body", "validation_failed", () => text(handle, " ")],
    ["channelId", "channel_forbidden", () => ({ ...text(), channelId: randomUUID() })],
    [
      "content.templateId",
      "template_not_approved",
      () => ({ ...text(), content: { type: "template", templateId: randomUUID() } }),
    ],
    [undefined, "outside_customer_window", () => text(newHandle())],
  ] as const)("%s: %s", async (field, code, input) => {
    expect(await fieldOf(send(input()))).toEqual({ code, field });
  });

  test("content.variables: template_variables_mismatch", async () => {
    const { id } = await addTemplate(ctx, world.channelId, { variables: ["1"] });
    const input = { ...text(), content: { type: "template", templateId: id } };
    expect(await fieldOf(send(input))).toEqual({
      code: "template_variables_mismatch",
      field: "content.variables",
    });
  });

  test("content.variables.1: validation_failed, where WhatsApp takes no such value", async () => {
    const { id } = await addTemplate(ctx, world.channelId, { variables: ["1"] });
    const content = { type: "template", templateId: id, variables: { "1": "Ana\nBen" } };
    expect(await fieldOf(send({ ...text(), content }))).toEqual({
      code: "validation_failed",
      field: "content.variables.1",
    });
  });
});

test("a key may not, whatever its scopes", async () => {
  expect(await codeOf(send(text(), await asKey(ctx)))).toBe("permission_denied");
});
