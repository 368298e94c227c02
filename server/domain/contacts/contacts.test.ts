import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TransactionSql } from "@/db/client";
import { until } from "@/e2e/support/until";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import {
  asKey,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { getThread } from "@/server/domain/threads/get";
import { contactOutput } from "./contact";
import { getContact } from "./get";
import { listContacts, listContactsInput } from "./list";
import { recordPreferenceIn } from "./record-preference";
import { newPerson, writeUnderTwoNames } from "./testing";
import { updateContact, updateContactInput } from "./update";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

const get = (ctx: Context, id: string) => getContact({ ctx, input: { contact_id: id } });
const list = (ctx: Context, query: Readonly<Record<string, string>> = {}) =>
  listContacts({ ctx, input: parseInput(listContactsInput, query) });
const idsOf = async (ctx: Context, query: Readonly<Record<string, string>> = {}) =>
  (await list(ctx, query)).data.map(({ contact_id: id }) => id);
const update = (ctx: Context, id: string, changes: object) =>
  updateContact({ ctx, input: parseInput(updateContactInput, { contact_id: id, ...changes }) });

async function newShop() {
  const ctx: Context<SystemActor> = await createTestOrganization(world.services);
  const channels = [await connectTestChannel(ctx), await connectTestChannel(ctx)] as const;
  const number = newHandle();
  const { contactId, threadId } = await openConversation(ctx, channels[0], number);
  return { ctx, channels, number, contactId, threadId };
}

const auditOf = ({ actor }: Context) => world.sql`
  select action, subject_id as "subjectId", detail from audit_log
  where organization_id = ${actor.organizationId} and action = 'contact.set' order by created_at, id`;

describe("a contact", () => {
  test("is shown with its names and conversations, alone and in the list", async () => {
    const { ctx, contactId, threadId, number } = await newShop();
    const shown = await get(ctx, contactId);
    expect(shown).toEqual({
      contact_id: contactId,
      name: expect.any(String),
      identities: [{ kind: "whatsapp", handle: number }],
      marketing_opt_out: false,
      threads: [await getThread({ ctx, input: { thread_id: threadId } })],
      created_at: expect.stringMatching(/Z$/),
    });
    expect(contactOutput.parse(shown)).toEqual(shown);
    expect((await list(ctx)).data).toEqual([shown]);
  });

  test("that was merged leads to the one that remains, which alone is listed, with all names", async () => {
    const person = await newPerson(world);
    const { contactId, mergedId } = await writeUnderTwoNames(person);
    const shown = await get(world.ctx, contactId);
    expect(await get(world.ctx, mergedId)).toEqual(shown);
    expect(shown.identities).toContainEqual({ kind: "whatsapp_user", handle: person.userId });
    expect(shown.identities[0]?.kind).toBe("whatsapp");
    expect(shown.threads.map((thread) => thread.contact_id)).toContain(contactId);
    expect(await idsOf(world.ctx, { to: person.number })).toEqual([contactId]);
    expect(await idsOf(world.ctx)).not.toContain(mergedId);
  });

  test("isn't found by whoever may not see it, nor changed, and once it is erased", async () => {
    const { ctx, contactId, channels } = await newShop();
    const limited = await asKey(ctx, { channelIds: [channels[1]] });
    const foreign = await createTestOrganization(world.services);
    for (const [who, id] of [
      [limited, contactId],
      [foreign, contactId],
      [ctx, randomUUID()],
      [ctx, "not-an-id"],
    ] as const) {
      expect(await codeOf(get(who, id))).toBe("contact_not_found");
      expect(await codeOf(update(who, id, { name: "Other" }))).toBe("contact_not_found");
    }
    expect(await auditOf(ctx)).toEqual([]);
    const sender = await asKey(ctx, { scopes: ["messages:read", "contacts:read"] });
    expect(await codeOf(update(sender, contactId, { name: "Other" }))).toBe("missing_scope");
    await world.sql`update contacts set erased_at = now() where id = ${contactId}`;
    expect(await codeOf(get(ctx, contactId))).toBe("contact_not_found");
    expect(await idsOf(ctx)).toEqual([]);
  });
});

describe("the list", () => {
  test("has the newest first, in pages; a key that is limited to channels gets its own", async () => {
    const { ctx, contactId: first, channels } = await newShop();
    const number = newHandle();
    const { contactId: second } = await openConversation(ctx, channels[1], number);
    const { contactId: third } = await openConversation(ctx, channels[0]);
    await openConversation(ctx, channels[0], number);
    expect(new Set(await idsOf(ctx))).toEqual(new Set([third, second, first]));
    const all = await idsOf(ctx);
    const page = await list(ctx, { limit: "2" });
    const next = await list(ctx, { limit: "2", cursor: page.next_cursor ?? "" });
    expect([...page.data, ...next.data].map(({ contact_id: id }) => id)).toEqual(all);
    expect(next.next_cursor).toBeNull();
    const limited = await asKey(ctx, { channelIds: [channels[1]] });
    const { data } = await list(limited, { limit: "1" });
    expect(data.map(({ contact_id: id }) => id)).toEqual([second]);
    expect(data[0]?.threads.map((thread) => thread.channel_id)).toEqual([channels[1]]);
    expect(await idsOf(ctx, { to: `+${number}` })).toEqual([second]);
    expect(await idsOf(await createTestOrganization(world.services))).toEqual([]);
  });

  test("of a key that may see few contacts searches a part of all with each page", async () => {
    const { ctx, channels } = await newShop();
    const { contactId } = await openConversation(ctx, channels[1]);
    await world.sql`
      insert into contacts (id, organization_id) select ('ffffffff-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, ${ctx.actor.organizationId}
      from generate_series(1, 1200) i`;
    const limited = await asKey(ctx, { channelIds: [channels[1]] });
    const first = await list(limited);
    expect(first.data).toEqual([]);
    const second = await list(limited, { cursor: first.next_cursor ?? "" });
    expect(second.data.map(({ contact_id: id }) => id)).toEqual([contactId]);
    expect(second.next_cursor).toBeNull();
  });
});

describe("a change", () => {
  test("sets what is given, keeps the rest, and is audited once, without the name", async () => {
    const { ctx, contactId } = await newShop();
    const before = await get(ctx, contactId);
    expect(await update(ctx, contactId, { name: " Ana  García " })).toEqual({
      ...before,
      name: "Ana García",
    });
    await update(ctx, contactId, { name: "Ana García" });
    await update(ctx, contactId, {});
    expect(await update(ctx, contactId, { name: null, marketing_opt_out: true })).toEqual({
      ...before,
      name: null,
      marketing_opt_out: true,
    });
    expect(await auditOf(ctx)).toEqual([
      { action: "contact.set", subjectId: contactId, detail: { changed: ["name"] } },
      {
        action: "contact.set",
        subjectId: contactId,
        detail: { changed: ["name", "marketing_opt_out"], marketing_opt_out: true },
      },
    ]);
  });

  test("of nothing returns the contact, to a key that may only change contacts too", async () => {
    const { ctx, contactId } = await newShop();
    const writer = await asKey(ctx, { scopes: ["contacts:write"] });
    expect(await codeOf(get(writer, contactId))).toBe("missing_scope");
    expect(await update(writer, contactId, {})).toEqual(await get(ctx, contactId));
  });

  test("of the preference counts at once, and a later decision of the customer replaces it", async () => {
    const { ctx, contactId } = await newShop();
    const isOut = async () => (await get(ctx, contactId)).marketing_opt_out;
    for (const wish of [true, false, true]) {
      await update(ctx, contactId, { marketing_opt_out: wish });
      expect(await isOut()).toBe(wish);
    }
    const decide = (at: Date) =>
      world.sql.begin((tx) =>
        recordPreferenceIn(tx, ctx.actor.organizationId, contactId, {
          isWanted: true,
          at,
          source: "whatsapp",
        }),
      );
    await decide(new Date(Date.now() - 3_600_000));
    expect(await isOut()).toBe(true);
    await world.sql`
      update contacts set marketing_wished_at = now() - interval '1 minute' where id = ${contactId}`;
    await decide(new Date());
    expect(await isOut()).toBe(false);
  });

  describe("that waits while another transaction has the contact", () => {
    /** Starts a change while the contact is locked, and ends the lock once the change waits for it. */
    async function afterLock(ctx: Context, id: string, held: (tx: TransactionSql) => Promise<unknown>) {
      const waiting: Promise<unknown>[] = [];
      await world.sql.begin(async (tx) => {
        await held(tx);
        waiting.push(Promise.allSettled([update(ctx, id, { name: "Ana" })]));
        await until("the change waits", async () => {
          const rows =
            await world.sql`select from pg_stat_activity where ${await backendOf(tx)} = any(pg_blocking_pids(pid))`;
          return rows.length > 0;
        });
      });
      await Promise.all(waiting);
    }

    async function backendOf(tx: TransactionSql): Promise<number> {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      return row?.pid ?? 0;
    }

    const namesOf = async (...ids: readonly string[]) =>
      (await world.sql`select name from contacts where id = any(${[...ids]}::uuid[]) order by id`).map(
        ({ name }) => name,
      );

    test("names nobody who was erased meanwhile", async () => {
      const { ctx, contactId } = await newShop();
      await afterLock(
        ctx,
        contactId,
        (tx) => tx`update contacts set name = null, erased_at = now() where id = ${contactId}`,
      );
      expect(await namesOf(contactId)).toEqual([null]);
      expect(await auditOf(ctx)).toEqual([]);
    });

    test("changes the contact that remains of a merge", async () => {
      const { ctx, contactId, channels } = await newShop();
      const { contactId: remaining } = await openConversation(ctx, channels[1]);
      await afterLock(
        ctx,
        contactId,
        (tx) => tx`update contacts set name = null, merged_into = ${remaining} where id = ${contactId}`,
      );
      expect(await namesOf(contactId, remaining)).toEqual([null, "Ana"]);
    });
  });

  test.each([
    { name: "" },
    { name: "x".repeat(101) },
    { marketing_opt_out: "yes" },
    { marketing_opt_out: null },
    { id: "1" },
  ])("to %j is refused", async (changes) => {
    const { ctx, contactId } = await newShop();
    await expect(async () => update(ctx, contactId, changes)).rejects.toMatchObject({
      code: "validation_failed",
      field: Object.keys(changes)[0],
    });
  });
});
