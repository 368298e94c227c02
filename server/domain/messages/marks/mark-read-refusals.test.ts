import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "@/server/core/context";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { receiveText } from "../receive/receive";
import {
  asKey,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "../testing";
import { markRead } from "./mark-read";

let world: SendWorld;
let channelId: string;

beforeAll(async () => void (world = await openSendWorld()));
beforeEach(async () => void (channelId = await connectTestChannel(world.ctx)));
afterAll(() => world.close());

async function write(): Promise<{ id: string }> {
  const said = { from: newHandle(), profileName: null, upstreamId: `wamid.${randomUUID()}`, body: "Hello" };
  const input = { ...said, channelId, at: new Date() };
  return { id: (await receiveText({ ctx: world.ctx, input })).messageId };
}

const mark = (id: string, typing?: boolean, ctx: Context = world.ctx) =>
  markRead({ ctx, input: { id, typing } });
const stored = async () => [...(await world.sql`select 1 from read_marks where channel_id = ${channelId}`)];

describe("a request is refused", () => {
  test("for a message that isn't known, another organization's, a note, and one on a channel that the key may not use", async () => {
    const message = await write();
    const foreign = await createTestOrganization(world.services);
    const key = await asKey(world.ctx, { channelIds: [world.channelId] });
    const note = await openConversation(world.ctx, channelId);
    const [noted] = await world.sql<{ id: string }[]>`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content)
      select gen_random_uuid(), organization_id, id, contact_id, channel_id, 'note', 'text', '{}' from conversations
      where id = ${note.threadId} returning id`;
    for (const attempt of [
      () => mark(randomUUID()),
      () => mark("x"),
      () => mark(noted?.id ?? ""),
      () => mark(message.id, false, foreign),
      () => mark(message.id, false, key),
    ]) {
      expect(await codeOf(attempt())).toBe("message_not_found");
    }
    expect(await stored()).toEqual([]);
  });

  test("for a message that was sent", async () => {
    const { threadId } = await openConversation(world.ctx, channelId);
    expect(await codeOf(mark(await queueText(world.ctx, threadId)))).toBe("message_not_inbound");
  });

  test.each([
    ["erased", "erased_at = now()", /erased/],
    ["older than 30 days", "created_at = now() - interval '30 days'", /30 days/],
    ["without an id at WhatsApp", "upstream_id = null", /no id/],
  ])("for one that is %s, with the reason", async (_, change, reason) => {
    const message = await write();
    await world.sql`update messages set ${world.sql.unsafe(change)} where id = ${message.id}`;
    await expect(mark(message.id)).rejects.toMatchObject({ code: "message_not_markable", message: reason });
    expect(await stored()).toEqual([]);
  });

  test("for one on a disabled channel, with the reason", async () => {
    const message = await write();
    await world.sql`update channels set disabled_at = now() where id = ${channelId}`;
    await expect(mark(message.id)).rejects.toMatchObject({
      code: "message_not_markable",
      message: /disabled/,
    });
  });

  test("without the scope", async () => {
    const message = await write();
    const key = await asKey(world.ctx, { scopes: ["messages:read"] });
    expect(await codeOf(mark(message.id, false, key))).toBe("missing_scope");
  });
});
