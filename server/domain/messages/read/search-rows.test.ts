import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context } from "@/server/core/context";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { ERRORS } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { searchMessages, searchMessagesInput } from "./search";
import { sendMessage } from "../send/send";
import {
  addTemplate,
  asKey,
  codeOf,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  textTo,
} from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let channelId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  ({ ctx, channelId } = world);
  member = await asMember(ctx, "agent");
});
afterAll(() => world.close());

const search = (query: Readonly<Record<string, string>>, as: Context = member) =>
  searchMessages({ ctx: as, input: parseInput(searchMessagesInput, { ...query }) });

/** Stores an upstream report directly in the message's row. */
const change = (id: string, columns: Readonly<Record<string, unknown>>) =>
  world.sql`update messages set ${world.sql(columns)} where id = ${id}`;

describe("a row", () => {
  test("has the names of contact, channel and key, and the beginning of the text", async () => {
    const key = await asKey(ctx, { name: "Shop" });
    const { threadId, contactId, handle } = await openConversation(ctx, channelId);
    const body = `A ${"very ".repeat(40)}long text`;
    await sendMessage({ ctx: key, input: { ...textTo(threadId, `row-${threadId}`), text: { body } } });
    const [row] = (await search({ q: handle })).data;
    expect(row).toMatchObject({
      clientMessageId: `row-${threadId}`,
      threadId,
      state: "queued",
      type: "text",
      preview: body.slice(0, 140),
      recipient: handle,
      contact: { id: contactId, name: "Customer" },
      channel: { id: channelId, name: "Test channel", isPaused: false, isDisabled: false },
      sender: { kind: "key", id: key.actor.keyId, name: "Shop" },
      error: null,
      inDoubtSince: null,
      erasedAt: null,
      waitsForChannel: false,
    });
  });

  test("says which member sent it, or that Waypost itself did", async () => {
    const { threadId } = await openConversation(ctx, channelId);
    await queueText(member, threadId);
    await queueText(ctx, threadId);
    const { data } = await search({ q: threadId });
    expect(data.map(({ sender }) => sender)).toEqual([
      { kind: "waypost" },
      { kind: "member", id: member.actor.memberId, name: "agent" },
    ]);
  });

  test("of a template has its name", async () => {
    const { threadId } = await openConversation(ctx, channelId);
    const template = await addTemplate(ctx, channelId, { name: "order_shipped" });
    const input = { client_message_id: randomUUID(), type: "template", thread_id: threadId } as const;
    await sendMessage({ ctx, input: { ...input, template: { template_submission_id: template.id } } });
    expect((await search({ q: threadId })).data[0]).toMatchObject({
      type: "template",
      preview: "order_shipped",
    });
  });

  test("that failed has the code in plain words, and whether it may be sent again", async () => {
    const { threadId } = await openConversation(ctx, channelId);
    const id = await queueText(ctx, threadId);
    const failedAt = new Date(Date.now() - 1000);
    await change(id, { state: "failed", error_code: "engagement_limited", failed_at: failedAt });
    expect((await search({ q: threadId })).data[0]?.error).toEqual({
      code: "engagement_limited",
      message: ERRORS.engagement_limited.message,
      resend: "later",
      resendAfter: new Date(failedAt.getTime() + 86_400_000),
    });
  });

  test("says that it waits because its channel is paused, unless it waits for confirmation", async () => {
    const own = await createTestOrganization(world.services);
    const [as, channel] = [await asMember(own, "owner"), await connectTestChannel(own, true)];
    const { threadId } = await openConversation(own, channel);
    const [first, second] = [await queueText(own, threadId), await queueText(own, threadId)];
    await change(second, { in_doubt_since: new Date() });
    await world.sql`
      update channels set paused_at = now(), pause_reason = 'account_locked' where id = ${channel}`;
    const { data } = await search({}, as);
    expect(data.map((row) => [row.id, row.waitsForChannel, row.channel.isPaused])).toEqual([
      [second, false, true],
      [first, true, true],
    ]);
  });

  test("that is erased says neither what nor to whom, and is found by its ids, not by the number", async () => {
    const { threadId, contactId, handle } = await openConversation(ctx, channelId);
    const key = await asKey(ctx);
    const sent = await sendMessage({ ctx: key, input: textTo(threadId, `gone-${threadId}`) });
    await eraseContact({ ctx, input: { contactId } });
    for (const q of [sent.message_id, `gone-${threadId}`, contactId, threadId]) {
      const [row] = (await search({ q })).data;
      expect(row).toMatchObject({
        id: sent.message_id,
        state: "failed",
        preview: null,
        recipient: null,
        contact: { id: contactId, name: null },
      });
      expect(row?.erasedAt).toBeInstanceOf(Date);
    }
    expect((await search({ q: handle })).data).toEqual([]);
  });
});

describe("who may search", () => {
  test.each(["owner", "admin", "agent"] as const)("an %s may", async (role) => {
    expect((await search({}, await asMember(ctx, role))).data.length).toBeGreaterThan(0);
  });

  test("a key may not, whatever its scopes", async () => {
    expect(await codeOf(search({}, await asKey(ctx)))).toBe("permission_denied");
  });
});
