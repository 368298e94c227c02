import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "@/server/core/context";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import type { SendMessageInput } from "../model/send-request";
import { sendMessage } from "./send";
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
/** The first channel is the default. */
let second: string;

beforeAll(async () => {
  world = await openSendWorld();
  second = await connectTestChannel(world.ctx);
});
afterAll(() => world.close());

describe("a template by its id, to a number without a channel,", () => {
  const sendTemplate = (
    ctx: Context,
    template: SendMessageInput["template"],
    changes: Partial<SendMessageInput> = {},
  ) => {
    const to = { kind: "whatsapp" as const, handle: newHandle() };
    const base = { client_message_id: randomUUID(), type: "template" as const, to };
    return sendMessage({ ctx, input: { ...base, template, ...changes } });
  };
  const channelOf = async (messageId: string) => {
    const [row] = await world.sql<{ channelId: string }[]>`
      select channel_id as "channelId" from messages where id = ${messageId}`;
    return row?.channelId;
  };

  test("goes out on the template's channel, wherever the customer wrote last", async () => {
    const onSecond = await addTemplate(world.ctx, second);
    const onFirst = await addTemplate(world.ctx, world.channelId);
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    const to = { kind: "whatsapp" as const, handle };
    for (const { template, channelId } of [
      { template: onSecond, channelId: second },
      { template: onFirst, channelId: world.channelId },
    ]) {
      const named = { template_submission_id: template.id.toUpperCase() };
      const answer = await sendTemplate(world.ctx, named, { to });
      expect(await channelOf(answer.message_id)).toBe(channelId);
      expect(answer.thread_id === threadId).toBe(channelId === world.channelId);
    }
  });

  test("is refused where its channel is disabled, or the key may not use it", async () => {
    const disabled = await connectTestChannel(world.ctx);
    const onDisabled = await addTemplate(world.ctx, disabled);
    await world.sql`update channels set disabled_at = now() where id = ${disabled}`;
    const onFirst = await addTemplate(world.ctx, world.channelId);
    const limited = await asKey(world.ctx, { channelIds: [second] });
    for (const [ctx, { id }] of [
      [world.ctx, onDisabled],
      [limited, onFirst],
    ] as const) {
      await expect(sendTemplate(ctx, { template_submission_id: id })).rejects.toMatchObject({
        code: "channel_forbidden",
        field: "template.template_submission_id",
      });
    }
  });

  test("by its name and language doesn't decide, nor beside a channel_id", async () => {
    const { id, name, language } = await addTemplate(world.ctx, second);
    expect(await codeOf(sendTemplate(world.ctx, { name, language }))).toBe("template_not_approved");
    const given = { channel_id: world.channelId };
    expect(await codeOf(sendTemplate(world.ctx, { template_submission_id: id }, given))).toBe(
      "template_not_approved",
    );
  });
});
