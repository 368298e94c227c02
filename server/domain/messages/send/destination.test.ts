import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SCOPES } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import type { WaypostError } from "@/server/platform/errors";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { sendMessage } from "./send";
import {
  asKey,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
  textTo,
} from "../testing";

let world: SendWorld;
/** Channels of the organization, oldest first; the first is the default. */
let second: string;

beforeAll(async () => {
  world = await openSendWorld();
  second = await connectTestChannel(world.ctx);
});
afterAll(() => world.close());

const textToNumber = (handle: string, channel_id?: string) => ({
  client_message_id: randomUUID(),
  type: "text" as const,
  channel_id,
  to: { kind: "whatsapp" as const, handle },
  text: { body: "Hi" },
});

/** Sends to the number. @returns the chosen channel. */
async function channelChosen(ctx: Context, handle: string): Promise<string | undefined> {
  const { message_id } = await sendMessage({ ctx, input: textToNumber(handle) });
  const [row] = await world.sql<{ channelId: string }[]>`
    select channel_id as "channelId" from messages where id = ${message_id}`;
  return row?.channelId;
}

const setLastInbound = (threadId: string, interval: string) =>
  world.sql`update conversations set last_inbound_at = now() - ${interval}::interval where id = ${threadId}`;

describe("an explicit channel", () => {
  test("of another organization, unknown, or disabled is forbidden", async () => {
    const foreign = await createTestOrganization(world.services);
    const foreignChannel = await connectTestChannel(foreign);
    const disabled = await connectTestChannel(world.ctx);
    await world.sql`update channels set disabled_at = now() where id = ${disabled}`;
    const { handle } = await openConversation(world.ctx, disabled);
    for (const channelId of [foreignChannel, disabled, randomUUID()]) {
      const input = textToNumber(handle, channelId);
      await expect(sendMessage({ ctx: world.ctx, input })).rejects.toMatchObject({
        code: "channel_forbidden",
        field: "channel_id",
      });
    }
  });

  test("that the key may not use is forbidden, whatever the spelling of its id", async () => {
    const ctx = await asKey(world.ctx, { channelIds: [second] });
    const { handle } = await openConversation(world.ctx, world.channelId);
    expect(await codeOf(sendMessage({ ctx, input: textToNumber(handle, world.channelId) }))).toBe(
      "channel_forbidden",
    );
    const own = await openConversation(world.ctx, second);
    expect(
      await codeOf(sendMessage({ ctx, input: textToNumber(own.handle, second.toUpperCase()) })),
    ).toBeNull();
  });
});

describe("a thread", () => {
  test("that is unknown, another organization's, or on another channel than the given one isn't found", async () => {
    const foreign = await createTestOrganization(world.services);
    const theirs = await openConversation(foreign, await connectTestChannel(foreign));
    const mine = await openConversation(world.ctx, world.channelId);
    const inputs = [
      textTo(randomUUID()),
      textTo(theirs.threadId),
      { ...textTo(mine.threadId), channel_id: second },
    ];
    for (const input of inputs) {
      await expect(sendMessage({ ctx: world.ctx, input })).rejects.toMatchObject({
        code: "thread_not_found",
        field: "thread_id",
      });
    }
  });

  test("on a channel that the key may not use is forbidden", async () => {
    const ctx = await asKey(world.ctx, { channelIds: [second] });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    expect(await codeOf(sendMessage({ ctx, input: textTo(threadId) }))).toBe("channel_forbidden");
  });
});

describe("a number without a channel goes out on", () => {
  test("the channel on which the customer wrote last", async () => {
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    await setLastInbound(threadId, "1 hour");
    await openConversation(world.ctx, second, handle);
    expect(await channelChosen(world.ctx, handle)).toBe(second);
  });

  test("among the channels that the key may use only", async () => {
    const ctx = await asKey(world.ctx, { channelIds: [world.channelId] });
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    await setLastInbound(threadId, "1 hour");
    await openConversation(world.ctx, second, handle);
    expect(await channelChosen(ctx, handle)).toBe(world.channelId);
  });

  test("the default where nobody wrote, else the oldest, else is forbidden", async () => {
    const ctx = await createTestOrganization(world.services);
    expect(await codeOf(sendMessage({ ctx, input: textToNumber(newHandle()) }))).toBe("channel_forbidden");
    const oldest = await connectTestChannel(ctx);
    const newest = await connectTestChannel(ctx, true);
    await world.sql`
      update channels set unknown_window_open_until = now() + interval '1 hour' where id in (${oldest}, ${newest})`;
    expect(await channelChosen(ctx, newHandle())).toBe(newest);
    await world.sql`update channels set is_default = false where id = ${newest}`;
    expect(await channelChosen(ctx, newHandle())).toBe(oldest);
  });
});

describe("a number", () => {
  test("whose written forms belong to two contacts is a conflict", async () => {
    const { contactId, handle } = await openConversation(world.ctx, world.channelId, "5511987650010");
    const other = await openConversation(world.ctx, world.channelId);
    await world.sql`
      insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
      values (gen_random_uuid(), ${world.ctx.actor.organizationId}, ${other.contactId}, 'whatsapp', '551187650010',
        '551187650010')`;
    expect(other.contactId).not.toBe(contactId);
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textToNumber(handle) }))).toBe(
      "identity_conflict",
    );
  });

  test("in its other written form reaches the same contact, under the form that is known", async () => {
    const known = await openConversation(world.ctx, world.channelId, "5511987650011");
    const answer = await sendMessage({ ctx: world.ctx, input: textToNumber("551187650011") });
    expect(answer).toMatchObject({ contact_id: known.contactId, thread_id: known.threadId });
    const [row] = await world.sql<{ recipient: string }[]>`
      select recipient from messages where id = ${answer.message_id}`;
    expect(row?.recipient).toBe("5511987650011");
  });

  test("needs the scope contacts:read, and contacts:write where the contact would be new", async () => {
    const { handle } = await openConversation(world.ctx, world.channelId);
    const without = (scope: string) =>
      asKey(world.ctx, { scopes: DEFAULT_SCOPES.filter((s) => s !== scope) });
    const send = (ctx: Context, to: string) => codeOf(sendMessage({ ctx, input: textToNumber(to) }));
    const reader = await without("contacts:read");
    const writer = await without("contacts:write");
    expect(await send(reader, handle)).toBe("missing_scope");
    expect(await send(writer, newHandle())).toBe("missing_scope");
    expect(await send(writer, handle)).toBeNull();
  });
});

describe("the customer window", () => {
  test("is open for 24 hours after the customer wrote, and closed afterwards", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    await setLastInbound(threadId, "23 hours 59 minutes 50 seconds");
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textTo(threadId) }))).toBeNull();
    await setLastInbound(threadId, "24 hours 1 second");
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textTo(threadId) }))).toBe(
      "outside_customer_window",
    );
  });

  test("counts as open for who never wrote on a number that was in use before, but not for who wrote long ago", async () => {
    const channel = await connectTestChannel(world.ctx);
    await world.sql`update channels set unknown_window_open_until = now() + interval '1 hour' where id = ${channel}`;
    const { handle, threadId } = await openConversation(world.ctx, channel);
    await setLastInbound(threadId, "2 days");
    const send = (to: string) => codeOf(sendMessage({ ctx: world.ctx, input: textToNumber(to, channel) }));
    expect(await send(newHandle())).toBeNull();
    expect(await send(handle)).toBe("outside_customer_window");
    await world.sql`update channels set unknown_window_open_until = now() - interval '1 second' where id = ${channel}`;
    expect(await send(newHandle())).toBe("outside_customer_window");
  });

  test("of one channel isn't opened by what the customer wrote on another", async () => {
    const { handle } = await openConversation(world.ctx, world.channelId);
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textToNumber(handle, second) }))).toBe(
      "outside_customer_window",
    );
  });
});

describe("a number that WhatsApp refused", () => {
  const refuse = (handle: string, ago: string) =>
    world.sql`update contact_identities set refused_at = now() - ${ago}::interval where handle = ${handle}`;

  test("isn't sent to for a day, by number nor by thread; the refusal says until when", async () => {
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    await refuse(handle, "1 hour");
    const inputs = [
      { input: textToNumber(handle), field: "to.handle" },
      { input: textTo(threadId), field: "thread_id" },
    ];
    const expectedAt = Date.now() + 23 * 60 * 60 * 1000;
    for (const { input, field } of inputs) {
      const [settled] = await Promise.allSettled([sendMessage({ ctx: world.ctx, input })]);
      const error: WaypostError | null = settled.status === "rejected" ? settled.reason : null;
      expect(error).toMatchObject({ code: "recipient_unreachable", resend: "later", field });
      expect(Math.abs(Number(error?.resendAfter) - expectedAt)).toBeLessThan(60_000);
      expect(error?.message).toContain(error?.resendAfter?.toISOString());
    }
  });

  test("is sent to again after a day", async () => {
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    await refuse(handle, "24 hours 1 second");
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textToNumber(handle) }))).toBeNull();
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textTo(threadId) }))).toBeNull();
  });

  test("is one under its other written form as well, as long as that form isn't known to work", async () => {
    const [long, short] = ["5511987650031", "551187650031"];
    await openConversation(world.ctx, world.channelId, long);
    await refuse(long, "1 hour");
    const send = () => codeOf(sendMessage({ ctx: world.ctx, input: textToNumber(short) }));
    expect(await send()).toBe("recipient_unreachable");
    await openConversation(world.ctx, world.channelId, short);
    await refuse(long, "1 hour");
    expect(await send()).toBeNull();
  });

  test("in one organization is none of another's business", async () => {
    const { handle } = await openConversation(world.ctx, world.channelId);
    await refuse(handle, "1 hour");
    const foreign = await createTestOrganization(world.services);
    await openConversation(foreign, await connectTestChannel(foreign), handle);
    expect(await codeOf(sendMessage({ ctx: foreign, input: textToNumber(handle) }))).toBeNull();
  });
});

describe("a window that the upstream says is closed", () => {
  const deny = (threadId: string, ago: string) =>
    world.sql`update conversations set window_closed_at = now() - ${ago}::interval where id = ${threadId}`;
  const sendIn = (threadId: string) => codeOf(sendMessage({ ctx: world.ctx, input: textTo(threadId) }));

  test("is closed, by number and by thread, until the customer writes again", async () => {
    const { handle, threadId } = await openConversation(world.ctx, world.channelId);
    await setLastInbound(threadId, "2 hours");
    await deny(threadId, "1 hour");
    expect(await sendIn(threadId)).toBe("outside_customer_window");
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textToNumber(handle) }))).toBe(
      "outside_customer_window",
    );
    await setLastInbound(threadId, "59 minutes");
    expect(await sendIn(threadId)).toBeNull();
  });

  test("is closed for a contact who never wrote, on a channel whose unknown windows count as open", async () => {
    const channelId = await connectTestChannel(world.ctx);
    await world.sql`update channels set unknown_window_open_until = now() + interval '1 hour' where id = ${channelId}`;
    const handle = newHandle();
    const { thread_id } = await sendMessage({ ctx: world.ctx, input: textToNumber(handle, channelId) });
    await deny(thread_id, "1 second");
    expect(await sendIn(thread_id)).toBe("outside_customer_window");
    expect(await codeOf(sendMessage({ ctx: world.ctx, input: textToNumber(handle, channelId) }))).toBe(
      "outside_customer_window",
    );
  });
});

test("a person whose number isn't known is written to under WhatsApp's latest id of them, by thread", async () => {
  const { contactId, threadId, handle } = await openConversation(world.ctx, world.channelId);
  const recipientOf = async () => {
    const { message_id } = await sendMessage({ ctx: world.ctx, input: textTo(threadId) });
    const [row] = await world.sql<{ recipient: string }[]>`
      select recipient from messages where id = ${message_id}`;
    return row?.recipient;
  };
  for (const [index, id] of ["US.1", "US.2"].entries()) {
    await world.sql`
      insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical, created_at)
      values (${randomUUID()}, ${world.ctx.actor.organizationId}, ${contactId}, 'bsuid', ${id}, ${id},
        now() + make_interval(secs => ${index}))`;
  }
  expect(await recipientOf()).toBe(handle);
  await world.sql`delete from contact_identities where handle = ${handle}`;
  expect(await recipientOf()).toBe("US.2");
  await world.sql`update contact_identities set refused_at = now() where handle = 'US.2'`;
  expect(await codeOf(sendMessage({ ctx: world.ctx, input: textTo(threadId) }))).toBe(
    "recipient_unreachable",
  );
});
