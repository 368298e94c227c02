import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import { openAttempts } from "./open-attempts";
import { claimDue, openConversation, openSendWorld, queueText, type SendWorld } from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
afterEach(async () => void (await world.sql`update messages set state = 'failed' where state = 'queued'`));

async function claimedText() {
  const { threadId, contactId } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  const claimed = await claimDue(world.services, world.channelId, 10);
  return { id, threadId, contactId, open: () => openAttempts(world.services, claimed) };
}

async function insertTemplate(state: string): Promise<string> {
  const id = newId();
  await world.sql`
    insert into templates (id, organization_id, channel_id, name, language, state, components, variables)
    values (${id}, ${world.ctx.actor.organizationId}, ${world.channelId}, ${`t_${randomUUID()}`}, 'en_US', ${state},
      '[{"type": "BODY", "text": "Hello {{1}}"}]', '{1}')`;
  return id;
}

async function insertUpload(): Promise<string> {
  const id = newId();
  await world.sql`
    insert into uploads (id, organization_id, storage_key, filename, mime_type, size, sha256, expires_at)
    values (${id}, ${world.ctx.actor.organizationId}, ${id}, 'plan.pdf', 'application/pdf', 10, '00',
      now() + interval '1 day')`;
  return id;
}

const codes = async (open: () => ReturnType<typeof openAttempts>) =>
  (await open()).failing.map(({ code }) => code);

describe("a message that changed its chances since it was accepted", () => {
  test("fails once it is twelve hours old", async () => {
    const { id, open } = await claimedText();
    await world.sql`update messages set created_at = now() - interval '12 hours 1 second' where id = ${id}`;
    expect(await codes(open)).toEqual(["expired"]);
  });

  test("fails where the upstream said that the window is closed, and not where the customer wrote after that", async () => {
    const { threadId, open } = await claimedText();
    await world.sql`update conversations set window_closed_at = now() where id = ${threadId}`;
    expect(await codes(open)).toEqual(["outside_customer_window"]);
    await world.sql`
      update conversations set last_inbound_at = now(), window_closed_at = now() - interval '1 second'
      where id = ${threadId}`;
    expect((await open()).opened).toHaveLength(1);
  });

  test("of a customer who never wrote fails, but for the first day of a number that was in use", async () => {
    const { threadId, open } = await claimedText();
    await world.sql`update conversations set last_inbound_at = null where id = ${threadId}`;
    expect(await codes(open)).toEqual(["outside_customer_window"]);
    await world.sql`update channels set unknown_window_open_until = now() + interval '1 hour'`;
    await world.sql`update conversations set window_closed_at = now() where id = ${threadId}`;
    expect(await codes(open)).toEqual(["outside_customer_window"]);
    await world.sql`update conversations set window_closed_at = null where id = ${threadId}`;
    expect((await open()).opened).toHaveLength(1);
    await world.sql`update channels set unknown_window_open_until = null`;
  });

  test.each(["pending", "rejected", "paused", "disabled"])(
    "with a template that is %s fails",
    async (state) => {
      const { id, open } = await claimedText();
      const templateId = await insertTemplate(state);
      await world.sql`update messages set type = 'template', template_id = ${templateId} where id = ${id}`;
      expect(await codes(open)).toEqual(["template_not_approved"]);
    },
  );

  test("whose recipient was erased fails", async () => {
    const { id, open } = await claimedText();
    await world.sql`update messages set recipient = null where id = ${id}`;
    expect(await codes(open)).toEqual(["contact_erased"]);
  });
});

describe("an opened attempt", () => {
  test("of an approved template carries it, whether the window is open or not", async () => {
    const { id, threadId, open } = await claimedText();
    const templateId = await insertTemplate("approved");
    await world.sql`update messages set type = 'template', template_id = ${templateId} where id = ${id}`;
    await world.sql`update conversations set last_inbound_at = null where id = ${threadId}`;
    expect((await open()).opened).toMatchObject([
      { template: { language: "en_US", components: [{ type: "BODY" }] }, mediaId: null },
    ]);
  });

  test("of a message with an upload needs the upstream's id of it, for this channel, that still lasts", async () => {
    const { id, open } = await claimedText();
    const uploadId = await insertUpload();
    await world.sql`update messages set type = 'document', upload_id = ${uploadId} where id = ${id}`;
    const insertMedia = (expires: string) => world.sql`
      insert into upload_media (id, organization_id, upload_id, channel_id, media_id, expires_at)
      values (${newId()}, ${world.ctx.actor.organizationId}, ${uploadId}, ${world.channelId}, 'media-1',
        now() + ${expires}::interval)
      on conflict (upload_id, channel_id) do update set expires_at = excluded.expires_at`;
    await insertMedia("-1 second");
    expect(await open()).toMatchObject({ opened: [], failing: [], waitingForMedia: [{ id, uploadId }] });
    await insertMedia("1 hour");
    expect((await open()).opened).toMatchObject([{ mediaId: "media-1", mediaFilename: "plan.pdf" }]);
  });
});
