import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { sendMessage } from "@/server/domain/messages/send/send";
import {
  asKey,
  codeOf,
  openConversation,
  openSendWorld,
  type SendWorld,
  textTo,
} from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { breakingAfter, placesOf, rowsOf, storyOf } from "@/server/domain/retention/testing";
import { bytesOf, post, status } from "@/server/domain/callbacks/testing";
import { eraseContact } from "./erase-contact";
import {
  contactCalled,
  keepUpload,
  newPerson,
  reported,
  sendFile,
  sendOfEveryKind,
  sendText,
  take,
  takeAndProcess,
  type TestPerson,
  writeOfEveryKind,
  writeUnderTwoNames,
  written,
} from "@/server/domain/contacts/testing";

let world: SendWorld;
let ana: TestPerson;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
beforeEach(async () => void (ana = await newPerson(world)));
afterAll(() => world.close());

const places = (person = ana) => placesOf(world.sql, person.words);
const erase = (contactId: string, ctx: Context = world.ctx) => eraseContact({ ctx, input: { contactId } });
const eraseNumber = (number: string) => eraseContact({ ctx: world.ctx, input: { number } });

/** Stores notes about the person by staff, the upstream and broken senders. */
async function noteInRecords(contactId: string): Promise<void> {
  const { organizationId } = world.ctx.actor;
  const notes = [
    ["contact", { from: ana.name, to: ana.secret }],
    ["channel", { tried: `+${ana.number}`, by: "Support" }],
  ] as const;
  for (const [kind, detail] of notes) {
    await world.sql`
      insert into audit_log (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id, detail)
      values (${newId()}, ${organizationId}, 'system', 'test', 'thing.done', ${kind}, ${contactId},
        ${JSON.stringify(detail)}::text::jsonb)`;
  }
  await world.sql`
    update channels set pause_detail = ${JSON.stringify({ upstreamCode: 1, reason: ana.quote })}::text::jsonb
    where id = ${world.channelId}`;
  const noJson = Buffer.from(`{"statuses": [{"recipient_id": "${ana.otherForm}", "said": "${ana.secret}"`);
  await post(world.services, world.channelId, noJson);
  await post(world.services, world.channelId, bytesOf({ surprise: [{ to: ana.number, words: ana.secret }] }));
}

async function auditOf(contactIds: readonly string[]) {
  const rows = await world.sql<{ actorId: string; detail: object }[]>`
    select actor_id as "actorId", detail from audit_log
    where action = 'contact.erased' and subject_id = any(${[...contactIds]}::uuid[])`;
  return [...rows];
}

describe("an erased contact", () => {
  test("is nowhere any more: in no column of any table, and on no disk; nor does it come back later", async () => {
    const { contactId, mergedId, threadId } = await writeUnderTwoNames(ana);
    expect(mergedId).not.toBe(contactId);
    const wamid = await writeOfEveryKind(ana);
    const upload = await keepUpload(ana);
    const { ids, retried } = await sendOfEveryKind(ana, threadId, upload);
    const waiting = await sendText(ana, threadId);
    await noteInRecords(contactId);
    await take(ana, written(ana));
    expect((await places()).length).toBeGreaterThan(12);
    const settled = ids.filter((id) => id !== retried);
    const before = await storyOf(world.sql, settled);

    const erasure = await erase(mergedId);
    expect(await places()).toEqual([]);
    expect(await world.services.uploads.find(upload.id)).toBeNull();
    expect(erasure).toMatchObject({ failed: 2, uploads: 1, contactIds: [contactId, mergedId].sort() });
    expect(await auditOf([contactId, mergedId])).toEqual([
      { actorId: "test", detail: { contactIds: [contactId, mergedId].sort() } },
    ]);
    expect(await storyOf(world.sql, settled)).toEqual(before);

    const all = [...ids, waiting];
    await takeAndProcess(
      ana,
      written(ana, { text: { body: ana.secret } }, wamid),
      reported(ana, "failed", all),
    );
    await takeAndProcess(ana, reported(ana, "read", all));
    expect(await places()).toEqual([]);
    expect(new Set((await storyOf(world.sql, all)).map(({ state }) => state))).toEqual(new Set(["read"]));
  });

  test("isn't in the samples that the planner keeps of each column", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    await writeOfEveryKind(ana);
    await sendOfEveryKind(ana, threadId, await keepUpload(ana));
    await noteInRecords(contactId);
    // PostgreSQL keeps the samples of a table that becomes empty.
    await openConversation(world.ctx, world.channelId);
    await world.sql`analyze`;
    const samples = async () => {
      const rows = await world.sql<{ place: string }[]>`
        select tablename || '.' || attname as place from pg_stats s
        where schemaname = 'public' and exists (select from unnest(${[...ana.words]}::text[]) w
          where position(w in concat(s.most_common_vals, s.histogram_bounds)) > 0)
        order by 1`;
      return rows.map(({ place }) => place);
    };
    expect(await samples()).toEqual(
      expect.arrayContaining(["messages.sender_number", "messages.sender_user_id", "webhook_events.body"]),
    );
    await erase(contactId);
    expect(await samples()).toEqual([]);
  });

  test("is a new contact when the number is heard of again, and the old conversation can't be written to", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    await erase(contactId);
    const sent = sendMessage({ ctx: world.ctx, input: textTo(threadId) });
    expect(await codeOf(sent)).toBe("thread_not_found");
    await takeAndProcess(ana, written(ana));
    const again = await contactCalled(ana, ana.otherForm);
    expect(again).not.toBe("");
    expect(again).not.toBe(contactId);
  });

  test("is found in callbacks under the form that WhatsApp writes, in whichever it is known", async () => {
    const { contactId } = await openConversation(world.ctx, world.channelId, ana.number);
    await takeAndProcess(ana, { statuses: [status("sent", "wamid.other", { recipient_id: ana.otherForm })] });
    expect(await places()).toContain("upstream_callbacks.body");
    await erase(contactId);
    expect(await places()).toEqual([]);
  });

  test("takes nothing from anybody else: neither words nor files, nor in another organization", async () => {
    const ben = await openConversation(world.ctx, world.channelId);
    await take(ana, written(ana), { statuses: [], messages: [{ from: ben.handle, id: "wamid.ben" }] });
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const upload = await keepUpload(ana);
    await sendFile(ana, threadId, upload);
    const toBen = await sendFile(ana, ben.threadId, upload);
    const foreign = await createTestOrganization(world.services);
    await openConversation(foreign, await connectTestChannel(foreign, true), ana.number);
    const kept = async () => [
      ...(await rowsOf(world.sql, foreign.actor.organizationId)),
      ...(await rowsOf(world.sql, world.ctx.actor.organizationId)).filter((row) =>
        [ben.contactId, toBen, upload.id].some((id) => row.includes(id)),
      ),
    ];
    const before = await kept();
    expect(await erase(contactId)).toMatchObject({ uploads: 0 });
    expect(before.length).toBeGreaterThan(6);
    expect((await kept()).filter((row) => !row.includes(threadId))).toEqual(
      before.filter((row) => !row.includes(threadId)),
    );
    expect(await world.services.uploads.find(upload.id)).not.toBeNull();
    const [raw] = await world.sql`
      select id from upstream_callbacks where position(${ben.handle} in encode(body, 'escape')) > 0`;
    expect(raw).toBeDefined();
  });
});

describe("erasing", () => {
  test("by a number, in whichever written form, means everyone whom it names; twice is as once", async () => {
    const { contactId } = await writeUnderTwoNames(ana);
    // Two contacts with the two forms of one number, as existed before forms were recognized.
    const { contactId: second } = await openConversation(world.ctx, world.channelId);
    await world.sql`delete from contact_identities where contact_id = ${contactId} and handle = ${ana.otherForm}`;
    await world.sql`
      update contact_identities set handle = ${ana.otherForm}, canonical = ${ana.otherForm}
      where contact_id = ${second}`;
    const erasure = await eraseNumber(ana.number);
    expect(erasure.contactIds).toEqual(expect.arrayContaining([contactId, second]));
    expect(await places()).toEqual([]);
    const nothing = { contactIds: [], messages: 0, failed: 0, callbacks: 0, uploads: 0 };
    expect(await eraseNumber(ana.otherForm)).toEqual(nothing);
    expect({ ...(await erase(contactId)), contactIds: [] }).toEqual(nothing);
    expect(await auditOf(erasure.contactIds)).toHaveLength(2);
  });

  test("by a number that no contact has any more takes it out of what else names it", async () => {
    await take(ana, written(ana));
    expect(await eraseNumber(ana.number)).toMatchObject({ contactIds: [], callbacks: 1 });
    await takeAndProcess(ana);
    expect(await places()).toEqual([]);
  });

  test("goes on where it broke off, wherever that was", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const upload = await keepUpload(ana);
    await sendOfEveryKind(ana, threadId, upload);
    await sendText(ana, threadId);
    await noteInRecords(contactId);
    let crashes = 0;
    for (let statements = 0; ; statements++) {
      const ctx = {
        ...world.ctx,
        services: { ...world.services, sql: breakingAfter(world.services.sql, statements) },
      };
      const isDone = await erase(contactId, ctx).then(
        () => true,
        () => false,
      );
      if (isDone) break;
      crashes += 1;
    }
    expect(crashes).toBeGreaterThan(10);
    expect(await places()).toEqual([]);
    expect(await world.services.uploads.find(upload.id)).toBeNull();
    expect(await auditOf([contactId])).toHaveLength(1);
  });

  test("in two processes at once does no harm", async () => {
    const { contactId, mergedId, threadId } = await writeUnderTwoNames(ana);
    const upload = await keepUpload(ana);
    await sendOfEveryKind(ana, threadId, upload);
    const both = await Promise.all([erase(contactId), erase(mergedId), eraseNumber(ana.otherForm)]);
    expect(both.reduce((sum, { uploads }) => sum + uploads, 0)).toBeGreaterThan(0);
    expect(await places()).toEqual([]);
    expect(await auditOf([contactId, mergedId])).toHaveLength(1);
  });

  test("is for owners and admins, never for keys, and within the own organization", async () => {
    const { contactId } = await writeUnderTwoNames(ana);
    expect(await codeOf(erase(contactId, await asMember(world.ctx, "agent")))).toBe("permission_denied");
    expect(await codeOf(erase(contactId, await asKey(world.ctx)))).toBe("permission_denied");
    const foreign = await createTestOrganization(world.services);
    expect(await codeOf(erase(contactId, foreign))).toBe("contact_not_found");
    expect(await places()).not.toEqual([]);
    await erase(contactId, await asMember(world.ctx, "owner"));
    expect(await places()).toEqual([]);
  });
});
