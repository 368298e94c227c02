import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SCOPES } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import type { SendMessageInput } from "../model/send-request";
import { sendMessage } from "./send";
import {
  addTemplate,
  addUpload,
  asKey,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
  textTo,
} from "../testing";

/** One fault of a request, and its correction. Every step keeps the later faults. */
interface Step {
  readonly reported: string | null;
  readonly ctx?: Context;
  readonly fix?: Partial<SendMessageInput>;
}

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

/** Sends repeatedly, with one fault fewer each time. @returns the error of each time. */
async function sendThrough(start: SendMessageInput, steps: readonly Step[]): Promise<(string | null)[]> {
  let ctx: Context = world.ctx;
  let input = start;
  const reported: (string | null)[] = [];
  for (const step of steps) {
    ctx = step.ctx ?? ctx;
    input = { ...input, ...step.fix };
    reported.push(await codeOf(sendMessage({ ctx, input })));
  }
  return reported;
}

/** A number with both its written forms known, refused by the upstream, with a closed window. */
async function badNumber(suffix: string, isConflict: boolean): Promise<string> {
  const { handle, threadId, contactId } = await openConversation(
    world.ctx,
    world.channelId,
    `55119876${suffix}`,
  );
  await world.sql`update conversations set last_inbound_at = now() - interval '3 days' where id = ${threadId}`;
  const owner = isConflict ? (await openConversation(world.ctx, world.channelId)).contactId : contactId;
  const short = handle.replace("5511987", "551187");
  await world.sql`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
    values (${randomUUID()}, ${world.ctx.actor.organizationId}, ${owner}, 'whatsapp', ${short}, ${short})`;
  await world.sql`update contact_identities set refused_at = now() where handle = ${handle}`;
  return handle;
}

const closedWindow = async () => {
  const conversation = await openConversation(world.ctx, world.channelId);
  await world.sql`
    update conversations set last_inbound_at = now() - interval '3 days' where id = ${conversation.threadId}`;
  return conversation;
};
const to = (handle: string) => ({ to: { kind: "whatsapp" as const, handle } });

/** A key of the organization without the scope; its only unit is used up on request. */
async function keyOf(options: { without?: string; channelIds?: string[]; isExhausted?: boolean }) {
  const scopes = DEFAULT_SCOPES.filter((scope) => scope !== options.without);
  const ctx = await asKey(world.ctx, { scopes, channelIds: options.channelIds, sendLimit: 1 });
  if (options.isExhausted) {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    await sendMessage({ ctx, input: textTo(threadId) });
  }
  return ctx;
}

describe("of several faults the answer names the one that is checked first:", () => {
  test("media to a number", async () => {
    const used = textTo((await openConversation(world.ctx, world.channelId)).threadId);
    await sendMessage({ ctx: world.ctx, input: used });
    const second = await connectTestChannel(world.ctx);
    const { storageKey } = await addUpload(world.ctx);
    const foreignToKey = await keyOf({ channelIds: [second] });
    const url = "https://10.0.0.1/";
    const start: SendMessageInput = {
      client_message_id: used.client_message_id,
      type: "image",
      channel_id: randomUUID(),
      ...to(await badNumber("50041", true)),
      media: { storage_key: "unknown", url },
    };
    const steps: Step[] = [
      { ctx: await keyOf({ without: "contacts:read", isExhausted: true }), reported: "missing_scope" },
      { ctx: foreignToKey, reported: "channel_forbidden" },
      { ctx: await keyOf({ isExhausted: true }), reported: "idempotency_key_reused" },
      { fix: { client_message_id: randomUUID() }, reported: "channel_forbidden" },
      { fix: { channel_id: world.channelId }, reported: "identity_conflict" },
      { fix: to(await badNumber("50042", false)), reported: "invalid_media" },
      { fix: { media: { storage_key: storageKey, url } }, reported: "media_url_forbidden" },
      { fix: { media: { storage_key: storageKey } }, reported: "recipient_unreachable" },
      { fix: to((await closedWindow()).handle), reported: "outside_customer_window" },
      { fix: to((await openConversation(world.ctx, world.channelId)).handle), reported: "rate_limited" },
      { ctx: await keyOf({}), reported: null },
    ];
    expect(await sendThrough(start, steps)).toEqual(steps.map(({ reported }) => reported));
  });

  test("a template to a thread", async () => {
    const used = textTo((await openConversation(world.ctx, world.channelId)).threadId);
    await sendMessage({ ctx: world.ctx, input: used });
    const second = await connectTestChannel(world.ctx);
    const onSecond = await openConversation(world.ctx, second);
    const refused = await closedWindow();
    await world.sql`update contact_identities set refused_at = now() where handle = ${refused.handle}`;
    await world.sql`update contacts set marketing_opted_out_at = now() where id = ${refused.contactId}`;
    const { threadId } = await closedWindow();
    const variables = ["1", "header.url"];
    const pending = await addTemplate(world.ctx, world.channelId, { state: "pending", variables });
    const approved = await addTemplate(world.ctx, world.channelId, { variables });
    const marketing = await addTemplate(world.ctx, world.channelId, { variables, category: "marketing" });
    const values = { "1": "Ana", "header.url": "https://10.0.0.1/" };
    const valid = { ...values, "header.url": "https://8.8.8.8/" };
    const missing = { "header.url": values["header.url"] };
    const unapproved = { template_submission_id: pending.id, variables: missing };
    const start: SendMessageInput = {
      client_message_id: used.client_message_id,
      type: "template",
      channel_id: second,
      thread_id: randomUUID(),
      template: { ...unapproved, name: "another" },
    };
    const named = { template_submission_id: approved.id };
    const steps: Step[] = [
      { ctx: await keyOf({ without: "templates:read", isExhausted: true }), reported: "missing_scope" },
      {
        ctx: await keyOf({ channelIds: [world.channelId], isExhausted: true }),
        reported: "idempotency_key_reused",
      },
      { fix: { client_message_id: randomUUID() }, reported: "channel_forbidden" },
      { fix: { channel_id: world.channelId }, reported: "thread_not_found" },
      { fix: { thread_id: onSecond.threadId }, reported: "thread_not_found" },
      { fix: { channel_id: null }, reported: "channel_forbidden" },
      { fix: { thread_id: refused.threadId }, reported: "validation_failed" },
      { fix: { template: unapproved }, reported: "template_not_approved" },
      {
        fix: { template: { ...named, variables: missing } },
        reported: "template_variables_mismatch",
      },
      { fix: { template: { ...named, variables: values } }, reported: "media_url_forbidden" },
      {
        fix: { template: { template_submission_id: marketing.id, variables: valid } },
        reported: "recipient_opted_out",
      },
      {
        fix: { template: { ...named, variables: valid } },
        reported: "recipient_unreachable",
      },
      { fix: { thread_id: threadId }, reported: "rate_limited" },
      { ctx: await keyOf({ channelIds: [world.channelId] }), reported: null },
    ];
    expect(await sendThrough(start, steps)).toEqual(steps.map(({ reported }) => reported));
  });

  test("media to a number that nobody knew", async () => {
    const start: SendMessageInput = {
      client_message_id: randomUUID(),
      type: "image",
      ...to(newHandle()),
      media: { storage_key: "unknown" },
    };
    const steps: Step[] = [
      { ctx: await keyOf({ without: "contacts:write", isExhausted: true }), reported: "missing_scope" },
      { ctx: await keyOf({ isExhausted: true }), reported: "invalid_media" },
      { fix: { media: { url: "https://8.8.8.8/" } }, reported: "outside_customer_window" },
    ];
    expect(await sendThrough(start, steps)).toEqual(steps.map(({ reported }) => reported));
  });
});
