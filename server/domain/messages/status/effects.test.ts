import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { accepting, graphError } from "@/server/adapters/whatsapp/testing";
import { applyStatuses } from "./apply-statuses";
import { drainChannel } from "../deliver/drain";
import { sendMessage } from "../send/send";
import {
  addTemplate,
  messageRow,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(() => world.upstream.behave(accepting));
afterEach(async () => {
  await world.services.concurrency.sends.idle();
  await world.sql`update messages set state = 'failed', error_code = 'expired' where state = 'queued'`;
});

async function drain(): Promise<void> {
  await drainChannel(world.services, world.channelId);
  await world.services.concurrency.sends.idle();
}

async function sendInto(code: number) {
  world.upstream.behave(graphError(code));
  const conversation = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, conversation.threadId);
  await drain();
  return { id, ...conversation };
}

async function learnt(contactId: string, threadId: string) {
  const [row] = await world.sql<Record<string, boolean>[]>`
    select i.refused_at is not null as refused, c.marketing_opted_out_at is not null as "optedOut",
      v.window_closed_at is not null as "windowClosed"
    from contacts c join contact_identities i on i.contact_id = c.id join conversations v on v.contact_id = c.id
    where c.id = ${contactId} and v.id = ${threadId}`;
  return row;
}

const NOTHING = { refused: false, optedOut: false, windowClosed: false };

describe("a refusal", () => {
  test.each([
    [131026, "undeliverable", { ...NOTHING, refused: true }],
    [131050, "recipient_opted_out", { ...NOTHING, optedOut: true }],
    [131047, "outside_customer_window", { ...NOTHING, windowClosed: true }],
    [130403, "recipient_blocked", NOTHING],
    [131049, "engagement_limited", NOTHING],
    [100, "upstream_rejected", NOTHING],
  ])(
    "with code %i fails the message as %s, and teaches just what it says",
    async (code, errorCode, expected) => {
      const { id, contactId, threadId } = await sendInto(code);
      expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode, eventSequence: 1 });
      expect(await learnt(contactId, threadId)).toEqual(expected);
    },
  );

  test("that comes as a failed status teaches the same, as of the upstream's time", async () => {
    const { contactId, threadId } = await openConversation(world.ctx, world.channelId);
    const id = await queueText(world.ctx, threadId);
    await drain();
    const upstreamAt = new Date(Date.now() - 60_000);
    const report = {
      upstreamId: `wamid.${id}`,
      messageId: null,
      kind: "failed" as const,
      upstreamAt,
      recipient: null,
      errorCode: "undeliverable" as const,
      detail: { upstreamCode: 131026, reason: "not on WhatsApp" },
    };
    await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports: [report, report] } });
    const [row] = await world.sql<{ at: Date }[]>`
      select refused_at as at from contact_identities where contact_id = ${contactId}`;
    expect(row?.at).toEqual(upstreamAt);
  });

  test("of an earlier message's status that moves nothing teaches nothing", async () => {
    const { contactId, threadId } = await openConversation(world.ctx, world.channelId);
    const id = await queueText(world.ctx, threadId);
    await drain();
    const about = { upstreamId: `wamid.${id}`, messageId: null, upstreamAt: new Date(), recipient: null };
    const read = { ...about, kind: "read" as const, errorCode: null, detail: null };
    const failed = {
      ...about,
      kind: "failed" as const,
      errorCode: "undeliverable" as const,
      detail: { upstreamCode: 131026 },
    };
    await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports: [read, failed] } });
    expect(await learnt(contactId, threadId)).toEqual(NOTHING);
  });
});

describe("a refusal of a template", () => {
  async function refusedWith(code: number) {
    const twin = await connectTestChannel(world.ctx);
    const stranger = await connectTestChannel(world.ctx);
    await world.sql`update channels set waba_id = 'another' where id = ${stranger}`;
    const template = await addTemplate(world.ctx, world.channelId);
    for (const channelId of [twin, stranger]) await addTemplate(world.ctx, channelId, template);
    const other = await addTemplate(world.ctx, world.channelId);
    const { threadId } = await openConversation(world.ctx, world.channelId);
    world.upstream.behave(graphError(code, 400, "Quality is too low"));
    await sendMessage({
      ctx: world.ctx,
      input: {
        client_message_id: randomUUID(),
        type: "template",
        thread_id: threadId,
        template: { name: template.name, language: template.language },
      },
    });
    await drain();
    const rows = await world.sql`
      select channel_id as "channelId", name, state, state_reason as reason from templates
      where name in (${template.name}, ${other.name}) order by created_at`;
    return { rows, names: [template.name, other.name], channels: [world.channelId, twin, stranger] };
  }

  test.each([
    [132015, "paused"],
    [132016, "disabled"],
  ])("with code %i counts on every channel of the account, and says why: %s", async (code, state) => {
    const { rows, names, channels } = await refusedWith(code);
    const [own, twin, stranger] = channels;
    const refused = { name: names[0], state, reason: "Quality is too low" };
    const untouched = { state: "approved", reason: null };
    expect(rows).toHaveLength(4);
    expect(rows).toEqual(
      expect.arrayContaining([
        { channelId: own, ...refused },
        { channelId: twin, ...refused },
        { channelId: stranger, name: names[0], ...untouched },
        { channelId: own, name: names[1], ...untouched },
      ]),
    );
  });

  test("that is older than what is known of it changes nothing", async () => {
    const { id, name, language } = await addTemplate(world.ctx, world.channelId);
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const template = { name, language };
    const input = {
      client_message_id: randomUUID(),
      type: "template",
      thread_id: threadId,
      template,
    } as const;
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    await drain();
    const report = {
      upstreamId: `wamid.${message_id}`,
      messageId: null,
      kind: "failed" as const,
      upstreamAt: new Date(Date.now() - 60_000),
      recipient: null,
      errorCode: "template_not_approved" as const,
      detail: { upstreamCode: 132015, reason: "Paused" },
    };
    await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports: [report] } });
    expect(await messageRow(world, message_id)).toMatchObject({ state: "failed" });
    const [row] = await world.sql`select state from templates where id = ${id}`;
    expect(row).toEqual({ state: "approved" });
  });
});

describe("a pair limit", () => {
  async function blockedSeconds(threadId: string): Promise<number | null> {
    const [row] = await world.sql<{ seconds: number | null }[]>`
      select round(extract(epoch from blocked_until - now()))::int as seconds from conversations where id = ${threadId}`;
    return row?.seconds ?? null;
  }

  async function retryNow(threadId: string): Promise<void> {
    await world.sql`update conversations set blocked_until = now() where id = ${threadId}`;
    await world.sql`update messages set next_attempt_at = now() where conversation_id = ${threadId} and state = 'queued'`;
    await drain();
  }

  test("holds the whole conversation 4, 16, 64, 256 and at most 256 seconds, and counts as no try", async () => {
    const { id, threadId } = await sendInto(131056);
    for (const seconds of [4, 16, 64, 256, 256]) {
      const waited = await blockedSeconds(threadId);
      expect(Math.abs((waited ?? 0) - seconds)).toBeLessThanOrEqual(limitMs(3_000) / 1000);
      expect(await messageRow(world, id)).toMatchObject({ state: "queued", attempts: 0, holdMs: null });
      await retryNow(threadId);
    }
  });

  test("delays but never reorders, and holds nobody else", async () => {
    const { id: first, threadId } = await sendInto(131056);
    const second = await queueText(world.ctx, threadId);
    const other = await openConversation(world.ctx, world.channelId);
    const third = await queueText(world.ctx, other.threadId);
    world.upstream.behave(accepting);
    await drain();
    expect(await messageRow(world, third)).toMatchObject({ state: "sent" });
    expect(await messageRow(world, second)).toMatchObject({ state: "queued" });
    await retryNow(threadId);
    const order = world.upstream.calls.map((call) => call.messageId);
    expect(order.lastIndexOf(first)).toBeLessThan(order.indexOf(second));
    expect(await messageRow(world, second)).toMatchObject({ state: "sent" });
  });

  test("ends with an acceptance: the next one begins at four seconds", async () => {
    const { threadId } = await sendInto(131056);
    await retryNow(threadId);
    world.upstream.behave(accepting);
    await retryNow(threadId);
    expect(await blockedSeconds(threadId)).toBeNull();
    world.upstream.behave(graphError(131056));
    await queueText(world.ctx, threadId);
    await drain();
    expect(await blockedSeconds(threadId)).toBeLessThanOrEqual(4);
  });
});
