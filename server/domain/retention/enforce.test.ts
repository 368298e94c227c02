import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  contactCalled,
  keepUpload,
  reported,
  sendOfEveryKind,
  takeAndProcess,
  type TestPerson,
  writeOfEveryKind,
  writeUnderTwoNames,
  written,
} from "@/server/domain/contacts/testing";
import { recordPreferenceIn } from "@/server/domain/contacts/record-preference";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { sendMessage } from "@/server/domain/messages/send/send";
import {
  addTemplate,
  codeOf,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
  textTo,
} from "@/server/domain/messages/testing";
import { recordOutcomes } from "@/server/domain/messages/deliver/record-outcomes";
import { setRetention } from "@/server/domain/organizations/set-retention";
import { enforceRetention } from "./enforce";
import { erasedOf, inOwnOrganization, passDays, placesOf, rowsOf, sentText, storyOf } from "./testing";

let shared: SendWorld;
let world: SendWorld;
let ana: TestPerson;

beforeAll(async () => void (shared = await openSendWorld({ database: "own" })));
beforeEach(async () => void ({ world, ana } = await inOwnOrganization(shared)));
afterAll(() => shared.close());

const places = () => placesOf(world.sql, ana.words);
const decide = (contactId: string, isWanted: boolean) =>
  world.sql.begin((tx) =>
    recordPreferenceIn(tx, world.ctx.actor.organizationId, contactId, { isWanted, at: null, source: "api" }),
  );
const enforce = () => enforceRetention(world.services);

describe("what is older than the organization keeps", () => {
  test("is erased wherever it stands, and nothing else is lost; nor does it come back later", async () => {
    const { contactId, mergedId, threadId } = await writeUnderTwoNames(ana);
    const wamid = await writeOfEveryKind(ana);
    const { ids, retried } = await sendOfEveryKind(ana, threadId, await keepUpload(ana));
    await world.sql`update messages set state = 'failed', error_code = 'expired' where id = ${retried}`;
    await decide(contactId, true);
    await passDays(world.ctx, 91);
    const before = await storyOf(world.sql, ids);
    expect((await places()).length).toBeGreaterThan(10);
    expect(await enforce()).toBe(false);
    // Files are kept for 30 days, and have their own sweep.
    expect(await places()).toEqual(["uploads.filename"]);
    expect(await storyOf(world.sql, ids)).toEqual(before);
    const rows = await world.sql`
      select id from contacts where id = any(${[contactId, mergedId]}::uuid[])
      union all select id from conversations where id = ${threadId}`;
    expect(rows).toHaveLength(3);

    await takeAndProcess(
      ana,
      written(ana, { text: { body: ana.secret } }, wamid),
      reported(ana, "failed", ids),
    );
    await takeAndProcess(ana, reported(ana, "read", ids));
    expect(await places()).toEqual(["uploads.filename"]);
    expect(new Set((await storyOf(world.sql, ids)).map(({ state }) => state))).toEqual(new Set(["read"]));
  });

  test("starts at the very hour that is set; what is younger stays word for word", async () => {
    await setRetention({ ctx: world.ctx, input: { days: 2 } });
    const { organizationId } = world.ctx.actor;
    const { threadId } = await openConversation(world.ctx, world.channelId, ana.number);
    const ids = [await sentText(world, threadId), await sentText(world, threadId)];
    const age = (hours: number, id?: string) => world.sql`
      update messages set created_at = now() - make_interval(hours => ${hours})
      where conversation_id = ${threadId} and id = coalesce(${id ?? null}::uuid, id)`;
    await age(47);
    const before = await rowsOf(world.sql, organizationId);
    await enforce();
    expect(await rowsOf(world.sql, organizationId)).toEqual(before);
    await age(49);
    await age(47, ids[1]);
    const young = async () =>
      (await rowsOf(world.sql, organizationId)).filter((row) => row.includes(ids[1] ?? ""));
    const youngBefore = await young();
    await enforce();
    expect(await erasedOf(world.sql, ids)).toEqual([true, false]);
    expect(await young()).toEqual(youngBefore);
  });

  test("counts by each organization's own setting", async () => {
    const { threadId } = await writeUnderTwoNames(ana);
    const { world: other, ana: ben } = await inOwnOrganization(shared);
    const foreign = other.ctx;
    await writeUnderTwoNames(ben);
    await setRetention({ ctx: world.ctx, input: { days: 5 } });
    await passDays(world.ctx, 6);
    await passDays(foreign, 6);
    const before = await rowsOf(world.sql, foreign.actor.organizationId);
    await enforce();
    expect(await places()).toEqual([]);
    expect(await rowsOf(world.sql, foreign.actor.organizationId)).toEqual(before);
    expect(threadId).not.toBe("");
  });

  test("is still answered: a repeat with 200, another body with 409 that tells no field", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    await world.sql`update messages set state = 'sent', next_attempt_at = null where id = ${message_id}`;
    await passDays(world.ctx, 91);
    await enforce();
    expect(await erasedOf(world.sql, [message_id])).toEqual([true]);
    expect(await sendMessage({ ctx: world.ctx, input })).toMatchObject({
      message_id,
      delivery_state: "sent",
      deduplicated: true,
    });
    await expect(
      sendMessage({ ctx: world.ctx, input: { ...input, text: { body: "Other" } } }),
    ).rejects.toMatchObject({
      code: "idempotency_key_reused",
      message: expect.not.stringContaining("Different"),
    });
  });
});

describe("a message that waits", () => {
  test("queued or in doubt, is left alone until it is settled, and holds up none behind it", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId, ana.number);
    const first = await sentText(world, threadId);
    const doubted = await queueText(world.ctx, threadId);
    const { attemptId } = await startCall(world, doubted);
    const detail = { httpStatus: null, upstreamCode: null, reason: "no answer" };
    const outcome = { kind: "uncertain", detail } as const;
    await recordOutcomes(world.services, [{ attemptId, messageId: doubted, outcome }]);
    const queued = await queueText(world.ctx, threadId);
    const last = await sentText(world, threadId);
    const ids = [first, doubted, queued, last];
    await passDays(world.ctx, 91);
    for (let times = 0; times < 2; times++) {
      await enforce();
      expect(await erasedOf(world.sql, ids)).toEqual([true, false, false, true]);
      expect(await contactCalled(ana, ana.number)).not.toBe("");
    }
    await world.sql`
      update messages set state = 'failed', in_doubt_since = null where id = any(${[doubted, queued]}::uuid[])`;
    await enforce();
    expect(await erasedOf(world.sql, ids)).toEqual([true, true, true, true]);
    expect(await contactCalled(ana, ana.number)).toBe("");
  });
});

describe("a contact", () => {
  test("keeps number and name while anything of it is kept, under whichever of its names", async () => {
    const { contactId, mergedId } = await writeUnderTwoNames(ana);
    await passDays(world.ctx, 91);
    await takeAndProcess(ana, written(ana, { text: { body: "Once more" } }));
    await enforce();
    expect(await contactCalled(ana, ana.number)).toBe(contactId);
    expect(await contactCalled(ana, ana.userId)).toBe(contactId);
    expect(mergedId).not.toBe(contactId);
    await passDays(world.ctx, 91);
    await enforce();
    expect(await places()).toEqual([]);
    await takeAndProcess(ana, written(ana));
    const again = await contactCalled(ana, ana.otherForm);
    expect([contactId, mergedId, ""]).not.toContain(again);
  });

  test("is emptied with the last message of the one that was merged into it", async () => {
    const { contactId } = await openConversation(world.ctx, world.channelId, ana.number);
    await passDays(world.ctx, 50);
    const { userId, number } = ana;
    const text = { from_user_id: userId, id: "wamid.by-id", type: "text", text: { body: ana.secret } };
    await takeAndProcess(ana, { contacts: [{ user_id: userId }], messages: [text] });
    const mergedId = await contactCalled(ana, userId);
    const preference = { wa_id: number, user_id: userId, category: "marketing_messages", value: "resume" };
    await takeAndProcess(ana, { user_preferences: [preference] });
    const owners = async () => [await contactCalled(ana, number), await contactCalled(ana, userId)];
    expect(await owners()).toEqual([contactId, contactId]);
    expect(mergedId).not.toBe(contactId);
    await passDays(world.ctx, 50);
    await enforce();
    expect(await owners()).toEqual([contactId, contactId]);
    await passDays(world.ctx, 50);
    await enforce();
    expect(await owners()).toEqual(["", ""]);
  });

  test("of whom only a wish came is emptied when that is old enough, and not before", async () => {
    const preference = { wa_id: ana.number, category: "marketing_messages", value: "resume" };
    await takeAndProcess(ana, { contacts: [ana.profile], user_preferences: [preference] });
    await passDays(world.ctx, 89);
    await enforce();
    expect(await contactCalled(ana, ana.number)).not.toBe("");
    await passDays(world.ctx, 2);
    await enforce();
    expect(await places()).toEqual([]);
  });

  test("that opted out keeps number and id, and nothing else, so that the opt-out stays until an opt-in", async () => {
    const { contactId } = await writeUnderTwoNames(ana);
    await decide(contactId, false);
    await passDays(world.ctx, 91);
    await enforce();
    const { secret, name } = ana;
    expect(await placesOf(world.sql, [secret, name])).toEqual([]);
    expect(await places()).toEqual(["contact_identities.canonical", "contact_identities.handle"]);
    const template = await addTemplate(world.ctx, world.channelId, { category: "marketing" });
    const refused = sendMessage({
      ctx: world.ctx,
      input: {
        client_message_id: randomUUID(),
        type: "template",
        to: { kind: "whatsapp", handle: ana.otherForm },
        template: { template_submission_id: template.id },
      },
    });
    expect(await codeOf(refused)).toBe("recipient_opted_out");
    await takeAndProcess(ana, written(ana, { text: { body: "START" } }));
    expect(await contactCalled(ana, ana.number)).toBe(contactId);
    await passDays(world.ctx, 91);
    await enforce();
    expect(await places()).toEqual([]);
  });

  test("that opted out is erased on request", async () => {
    const { contactId } = await openConversation(world.ctx, world.channelId, ana.number);
    await decide(contactId, false);
    await eraseContact({ ctx: world.ctx, input: { contactId } });
    expect(await contactCalled(ana, ana.number)).toBe("");
  });

  test("that was looked at when only a wish had come is emptied later, with its last message", async () => {
    await openConversation(world.ctx, world.channelId, ana.number);
    await world.sql`
      update contacts set created_at = created_at - interval '100 days'
      where organization_id = ${world.ctx.actor.organizationId}`;
    await enforce();
    expect(await contactCalled(ana, ana.number)).not.toBe("");
    await passDays(world.ctx, 91);
    await enforce();
    expect(await contactCalled(ana, ana.number)).toBe("");
  });
});
