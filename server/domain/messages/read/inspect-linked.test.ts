import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asMember } from "@/server/domain/organizations/testing";
import { failWithoutCall } from "../deliver/fail-without-call";
import { inspectMessage } from "./inspect";
import { recordOutcomes } from "../deliver/record-outcomes";
import { resendMessage } from "../send/resend";
import { sendMessage } from "../send/send";
import {
  addTemplate,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
} from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  member = await asMember(ctx, "agent");
});
afterAll(() => world.close());

const inspect = (messageId: string) => inspectMessage({ ctx: member, input: { messageId } });

test("the page of a template message has the template, and its text with the message’s values", async () => {
  const { threadId } = await openConversation(ctx, world.channelId);
  const { id, name, language } = await addTemplate(ctx, world.channelId, { variables: ["1"] });
  const say = (text: string) =>
    world.sql`update templates set components = ${world.sql.json([{ type: "BODY", text }])} where id = ${id}`;
  await say("Hello {{1}}");
  const { message_id } = await sendMessage({
    ctx,
    input: {
      client_message_id: randomUUID(),
      type: "template",
      thread_id: threadId,
      template: { template_submission_id: id, variables: { "1": "Ana" } },
    },
  });
  const parts = [{ label: "Body", kind: "body", card: null, media: null, text: "Hello Ana", url: null }];
  expect((await inspect(message_id)).template).toEqual({ id, name, language, parts, isChanged: false });
  await world.sql`update templates set updated_at = clock_timestamp() where id = ${id}`;
  expect((await inspect(message_id)).template).toMatchObject({ isChanged: true });
});

test("the page leads from what was sent again to the old message, and back, and says what became of it", async () => {
  const { threadId } = await openConversation(ctx, world.channelId);
  const id = await queueText(ctx, threadId);
  await failWithoutCall(world.services, [{ id }], "expired");
  const input = { messageId: id, idempotencyToken: randomUUID(), acceptRisk: false };
  const { messageId } = await resendMessage({ ctx: member, input });
  expect((await inspect(messageId)).resendOf).toBe(id);
  const resend = { id: messageId, state: "queued", inDoubtSince: null, createdAt: expect.any(Date) };
  const old = await inspect(id);
  expect(old.resends).toEqual([resend]);
  expect(old.explanation.whatToDo).toMatch(/already sent again/);

  const { attemptId } = await startCall(world, messageId);
  const detail = { httpStatus: 500, upstreamCode: null, reason: "HTTP 500 without a readable answer" };
  await recordOutcomes(world.services, [{ attemptId, messageId, outcome: { kind: "uncertain", detail } }]);
  expect((await inspect(id)).resends).toEqual([{ ...resend, inDoubtSince: expect.any(Date) }]);
});
