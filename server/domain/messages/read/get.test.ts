import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "@/server/core/context";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { getMessage } from "./get";
import { messageOutput } from "../model/schemas";
import {
  asKey,
  codeOf,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  textTo,
} from "../testing";
import { sendMessage } from "../send/send";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

const get = (id: string, ctx: Context = world.ctx) => getMessage({ ctx, input: { id } });

async function queueOne(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  return queueText(world.ctx, threadId);
}

describe("a message", () => {
  test("is shown with its ids, recipient, content, state and times", async () => {
    const { threadId, contactId, handle } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    const shown = await get(message_id);
    expect(shown).toEqual({
      message_id,
      client_message_id: input.client_message_id,
      thread_id: threadId,
      contact_id: contactId,
      channel_id: world.channelId,
      direction: "outbound",
      type: "text",
      to: { kind: "whatsapp", handle, user_id: null },
      from: null,
      content: { text: input.text },
      reply_to: null,
      delivery_state: "queued",
      error: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
    });
    expect(messageOutput.parse(shown)).toEqual(shown);
  });

  test("that failed says why, and whether it may be sent again", async () => {
    const id = await queueOne();
    const fail = (code: string) => world.sql`
      update messages set state = 'failed', error_code = ${code}, failed_at = now() where id = ${id}`;
    await fail("upstream_unconfirmed");
    expect((await get(id)).error).toMatchObject({
      code: "upstream_unconfirmed",
      resend: "may_duplicate",
      resend_after: null,
    });
    await fail("expired");
    expect((await get(id)).error).toMatchObject({ code: "expired", resend: "safe" });
    expect((await get(id)).failed_at).not.toBeNull();
  });

  test("is found whatever the spelling of its id", async () => {
    const id = await queueOne();
    expect((await get(id.toUpperCase())).message_id).toBe(id);
  });

  test("read among many at once is the right one, each time", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, queueOne));
    const asked = [...ids, ...ids.slice(0, 5), randomUUID()];
    const shown = await Promise.all(asked.map((id) => get(id).catch(() => null)));
    expect(shown.map((message) => message?.message_id)).toEqual([...ids, ...ids.slice(0, 5), undefined]);
  });
});

describe("not found", () => {
  test("is one and the same refusal for whatever the caller may not see", async () => {
    const foreign = await createTestOrganization(world.services);
    const theirs = await openConversation(foreign, await connectTestChannel(foreign));
    const second = await connectTestChannel(world.ctx);
    const limited = await asKey(world.ctx, { channelIds: [second] });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const [inbound] = await world.sql<{ id: string }[]>`
      select id from messages where conversation_id = ${threadId} and kind = 'inbound'`;
    const [note] = await world.sql<{ id: string }[]>`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content)
      select gen_random_uuid(), organization_id, conversation_id, contact_id, channel_id, 'note', 'text', '{}'
      from messages where id = ${inbound?.id ?? ""} returning id`;
    const hidden: [string | undefined, Context][] = [
      [randomUUID(), world.ctx],
      ["not-an-id", world.ctx],
      ["", world.ctx],
      ["%00", world.ctx],
      [await queueText(foreign, theirs.threadId), world.ctx],
      [note?.id, world.ctx],
      [inbound?.id, limited],
      [await queueOne(), limited],
    ];
    const refusals = await Promise.all(
      hidden.map(([id, ctx]) =>
        get(id ?? "", ctx).then(
          () => "shown",
          ({ code, message, field, headers }) => JSON.stringify({ code, message, field, headers }),
        ),
      ),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain("message_not_found");
  });

  test("isn't told to a key without the scope: it is refused before", async () => {
    const ctx = await asKey(world.ctx, { scopes: ["messages:send"] });
    expect(await codeOf(get(await queueOne(), ctx))).toBe("missing_scope");
    expect(await codeOf(get(randomUUID(), ctx))).toBe("missing_scope");
  });
});
