import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { codeOf, newHandle, openConversation } from "@/server/domain/messages/testing";
import { receiveText } from "@/server/domain/messages/receive/receive";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { rowsReadBy } from "@/server/testing";
import { ensureContact } from "./ensure";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { searchContacts, searchContactsInput } from "./search";

let world: TestWorld;
let ctx: Context<SystemActor>;
let agent: Context<MemberActor>;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  agent = await asMember(ctx, "agent");
});
afterAll(() => world.close());

const list = (query: Readonly<Record<string, string>> = {}, as: Context = agent) =>
  searchContacts({ ctx: as, input: parseInput(searchContactsInput, { ...query }) });

async function add(name: string | null, handle = newHandle()): Promise<string> {
  return (await ensureContact({ ctx, input: { handle, name } })).contactId;
}

const namesFor = async (q: string) => (await list({ q })).data.map(({ name }) => name);

/** Adds old contacts whose names all start the same way. */
async function addMany(count: number, name = "Maria"): Promise<void> {
  await world.database.sql`
    insert into contacts (id, organization_id, name)
    select ('0190' || substr(gen_random_uuid()::text, 5))::uuid, ${ctx.actor.organizationId}, ${name} || ' Customer' || i
    from generate_series(1, ${count}) i`;
}

describe("the list", () => {
  test("has each contact with number, window and wish, newest first", async () => {
    const channelId = await connectTestChannel(ctx, true);
    const wrote = await openConversation(ctx, channelId);
    const silentHandle = newHandle();
    const silent = await add("Silent", silentHandle);
    await world.database.sql`update contacts set marketing_opted_out_at = '2026-01-02' where id = ${silent}`;
    const { data, next_cursor, isCut } = await list();
    expect({ next_cursor, isCut }).toEqual({ next_cursor: null, isCut: false });
    expect(data).toMatchObject([
      {
        id: silent,
        name: "Silent",
        number: silentHandle,
        userId: null,
        lastWroteAt: null,
        windowOpenUntil: null,
        marketingOptedOutAt: new Date("2026-01-02"),
      },
      { id: wrote.contactId, name: "Customer", number: wrote.handle, marketingOptedOutAt: null },
    ]);
    const [, { lastWroteAt, windowOpenUntil } = { lastWroteAt: null, windowOpenUntil: null }] = data;
    expect((windowOpenUntil?.getTime() ?? 0) - (lastWroteAt?.getTime() ?? 0)).toBe(86_400_000);
  });

  test("says that the window is closed after a day, and once the upstream has said so", async () => {
    const channelId = await connectTestChannel(ctx, true);
    const { contactId, threadId } = await openConversation(ctx, channelId);
    const openUntil = async () =>
      (await list()).data.find(({ id }) => id === contactId)?.windowOpenUntil ?? null;
    expect(await openUntil()).not.toBeNull();
    await world.database.sql`update conversations set window_closed_at = now() where id = ${threadId}`;
    expect(await openUntil()).toBeNull();
    await world.database.sql`
      update conversations set window_closed_at = null, last_inbound_at = now() - interval '25 hours' where id = ${threadId}`;
    expect(await openUntil()).toBeNull();
  });

  test("is read in pages that reach each contact once, whoever comes meanwhile", async () => {
    await addMany(25);
    const first = await list({ limit: "10" });
    await add("Meanwhile");
    const ids = first.data.map(({ id }) => id);
    for (let cursor = first.next_cursor; cursor !== null;) {
      const page: typeof first = await list({ limit: "10", cursor });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(new Set(ids).size).toBe(25);
    expect(ids).toHaveLength(25);
    expect(ids).toEqual([...ids].sort().toReversed());
  });

  test("leaves out who was erased, and of one person all but one", async () => {
    const [erased, merged, living] = [await add("Erased"), await add("Merged"), await add("Living")];
    await eraseContact({ ctx, input: { contactId: erased } });
    await world.database.sql`update contacts set merged_into = ${living} where id = ${merged}`;
    expect((await list()).data.map(({ id }) => id)).toEqual([living]);
    expect((await list({ q: "merged" })).data.map(({ id }) => id)).toEqual([living]);
    expect((await list({ q: merged })).data.map(({ id }) => id)).toEqual([living]);
    expect((await list({ q: erased })).data).toEqual([]);
  });

  test("has nothing of another organization, and isn't shown to keys", async () => {
    const id = await add("Ana");
    const foreign = await asMember(await createTestOrganization(world.services), "owner");
    expect((await list({}, foreign)).data).toEqual([]);
    for (const q of ["Ana", id]) expect((await list({ q }, foreign)).data).toEqual([]);
    const { data } = await list({ limit: "1" });
    expect(data).toHaveLength(1);
    const key: Context = {
      ...ctx,
      actor: {
        kind: "key",
        organizationId: ctx.actor.organizationId,
        keyId: randomUUID(),
        keyName: "Key",
        keyPrefix: "ak_live_x",
        secretId: randomUUID(),
        scopes: ["contacts:read"],
        channelIds: null,
        expiresAt: null,
        sendLimit: 1,
        readLimit: 1,
      },
    };
    expect(await codeOf(list({}, key))).toBe("permission_denied");
  });
});

describe("a contact is found", () => {
  test.each(["+49 151 23456789", "0151/23456789", "3456789", "https://wa.me/4915123456789"])(
    "by its number, spelled %s",
    async (q) => {
      const id = await add("Ana", "4915123456789");
      await add("Ben");
      expect((await list({ q })).data.map((contact) => contact.id)).toEqual([id]);
    },
  );

  test.each([
    ["491", "4915123456789"],
    ["+49 15", "4915123456789"],
    ["0049 151 2", "4915123456789"],
    ["55119", "551187654321"],
    ["551187", "5511987654321"],
    ["5215", "525512345678"],
  ])("by the beginning of its number, %s", async (q, number) => {
    const id = await add("Ana", number);
    await add("Ben", "4930123456789");
    expect((await list({ q })).data.map((contact) => contact.id)).toEqual([id]);
  });

  test("not by two digits, nor by a beginning without the country's code", async () => {
    await add("Ana", "4915123456789");
    for (const q of ["49", "0151", "151"]) expect((await list({ q })).data).toEqual([]);
  });

  test.each(["Ana", "lu", "ga", "ana lu", "lucia", "GARCÍA", "garcia ana", "  Ana   García ", "gar"])(
    "by its name, typed %j",
    async (q) => {
      await add("Ana Lucía García");
      await add("Ben Anderson");
      await add("Susana Magarc");
      expect(await namesFor(q)).toEqual(["Ana Lucía García"]);
    },
  );

  test.each(["na", "cia", "ana ben", "%", "Ana_", "\\"])("not by %j", async (q) => {
    await add("Ana Lucía García");
    expect(await namesFor(q)).toEqual([]);
  });

  test("by a name of any letters and any length", async () => {
    const long = "Y".repeat(5_000);
    for (const name of ["Ωμέγα Παπάς", "Åsa Öst", "Ирина Петрова", "小林 さくら", long]) await add(name);
    expect(await namesFor("παπ")).toEqual(["Ωμέγα Παπάς"]);
    expect(await namesFor("asa")).toEqual(["Åsa Öst"]);
    expect(await namesFor("ПЕТР")).toEqual(["Ирина Петрова"]);
    expect(await namesFor("さく")).toEqual(["小林 さくら"]);
    expect(await namesFor("yyyy")).toEqual([long]);
  });

  test("by WhatsApp’s id of the person, where the number isn’t known", async () => {
    const channelId = await connectTestChannel(ctx, true);
    const { contactId } = await receiveText({
      ctx,
      input: {
        channelId,
        from: newHandle(),
        profileName: "Ana",
        upstreamId: `wamid.${randomUUID()}`,
        body: "Hello",
        at: new Date(),
      },
    });
    await world.database.sql`
      update contact_identities set kind = 'bsuid', handle = 'US.13491208655302741918', canonical = 'US.13491208655302741918'
      where contact_id = ${contactId}`;
    expect((await list({ q: "US.13491208655302741918" })).data).toMatchObject([
      { id: contactId, number: null, userId: "US.13491208655302741918" },
    ]);
  });
});

describe("with many contacts", () => {
  test("a search says when more begin alike than it looked at, and a longer text finds the one", async () => {
    await addMany(700);
    await add("Maria Zacharias");
    expect(await list({ q: "maria" })).toMatchObject({ isCut: true });
    expect(await list({ q: "maria zach" })).toMatchObject({ data: [{ name: "Maria Zacharias" }] });
    const all: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Awaited<ReturnType<typeof list>> = await list({
        q: "maria",
        limit: "100",
        ...(cursor === undefined ? {} : { cursor }),
      });
      all.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(500);
  });

  test("list and search cost what a page costs, whatever another organization has", async () => {
    await addMany(40_000);
    const large = agent;
    ctx = await createTestOrganization(world.services);
    agent = await asMember(ctx, "agent");
    await addMany(2);
    await world.database.sql`vacuum (analyze) contacts`;
    const read = (query: Readonly<Record<string, string>>, as: Context) =>
      rowsReadBy(ctx.services.sql, "contacts", (sql) =>
        list(query, { ...as, services: { ...as.services, sql } }),
      );
    expect(await read({}, large)).toBeLessThan(300);
    expect(await read({ q: "maria customer77" }, large)).toBeLessThan(2_000);
    expect(await read({ q: "maria" }, large)).toBeLessThan(2_000);
    expect(await read({ q: "maria" }, agent)).toBeLessThan(30);
    // The planner itself may read the ends of an index.
    expect(await read({ q: "zacharias" }, large)).toBeLessThan(30);
  });

  test("a beginning that further numbers may have is said to be cut, though others were read first", async () => {
    await addMany(400);
    // Landlines of São Paulo, which start with the same digits as mobiles without their 9.
    await world.database.sql`
      insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
      select gen_random_uuid(), organization_id, id, 'whatsapp', n, n
      from (select *, (551120000000 + row_number() over ())::text as n from contacts
        where organization_id = ${ctx.actor.organizationId}) c`;
    expect(await list({ q: "55119" })).toMatchObject({ data: [], isCut: true });
  });

  test("a beginning of numbers costs the same, whatever another organization has", async () => {
    await addMany(20_000);
    await world.database.sql`
      insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
      select gen_random_uuid(), organization_id, id, 'whatsapp', n, n
      from (select *, (4917000000000 + row_number() over ())::text as n from contacts
        where organization_id = ${ctx.actor.organizationId}) c`;
    const large = agent;
    ctx = await createTestOrganization(world.services);
    agent = await asMember(ctx, "agent");
    await add("Ana", "4917099999999");
    await world.database.sql`vacuum (analyze) contact_identities`;
    const read = (q: string, as: Context) =>
      rowsReadBy(ctx.services.sql, "contact_identities", (sql) =>
        list({ q }, { ...as, services: { ...as.services, sql } }),
      );
    expect((await list({ q: "4917" }, large)).isCut).toBe(true);
    expect(await read("4917", large)).toBeLessThan(2_000);
    expect(await namesFor("4917")).toEqual(["Ana"]);
    expect(await read("4917", agent)).toBeLessThan(30);
  });
});
