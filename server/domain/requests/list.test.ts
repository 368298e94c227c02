import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { appRouter } from "@/server/edge/trpc/router";
import { t } from "@/server/core/trpc";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { ERRORS } from "@/server/platform/errors";
import { createKey } from "@/server/domain/keys/create";
import { asKey } from "@/server/domain/messages/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { exportRequests } from "./export";
import { addRefusal } from "./testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let other: Context<SystemActor>;
let shop: { id: string; secret: string };
let crm: { id: string };

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
  other = await createTestOrganization(world.services);
  member = await asMember(ctx, "agent");
  shop = await createKey({ ctx, input: { name: "Shop" } });
  crm = await createKey({ ctx, input: { name: "CRM" } });
});
afterAll(() => world.close());
beforeEach(async () => void (await world.database.sql`truncate api_requests, refusal_hours, request_hours`));

const callerOf = t.createCallerFactory(appRouter);
type Input = Parameters<ReturnType<typeof callerOf>["requests"]["list"]>[0];
const list = (input: Input = {}, as: Context = member) => callerOf(as).requests.list(input);
const idsOf = async (input: Input) => (await list(input)).data.map(({ requestId }) => requestId);

const HOUR_MS = 3_600_000;
/** Some hours ago, at the start of an hour. */
const hoursAgo = (hours: number) => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hours * HOUR_MS);

/** Adds that many refusals of the key, one second apart, backwards from then, in an order that the test can rely on. */
async function addMany(count: number, newest: Date, code = "validation_failed"): Promise<void> {
  await world.database.sql`
    insert into api_requests (id, organization_id, key_id, secret_id, method, route, status, code, duration_ms, refused_at)
    select gen_random_uuid(), ${ctx.actor.organizationId}, ${shop.id}, ${shop.id}, 'POST', '/', 400, ${code}, 1,
      ${newest}::timestamptz - make_interval(secs => n)
    from generate_series(1, ${count}::int) n`;
}

describe("the list of refused requests", () => {
  test("tells of each, newest first, whose it was and what to do about it", async () => {
    const [secret] = await world.database.sql<{ id: string; lastFour: string }[]>`
      select id, last_four as "lastFour" from api_key_secrets where key_id = ${shop.id}`;
    const first = await addRefusal(ctx, { keyId: crm.id, refusedAt: hoursAgo(2) });
    const at = hoursAgo(1);
    const reported = {
      refusedAt: at,
      code: "template_not_approved",
      status: 422,
      clientMessageId: "a-1",
    } as const;
    const second = await addRefusal(ctx, { ...reported, keyId: shop.id, secretId: secret?.id ?? "" });
    const page = await list();
    const { message, staffRemedy, remedy, resend } = ERRORS.template_not_approved;
    expect(page.data.map(({ requestId }) => requestId)).toEqual([second, first]);
    expect(page.data[0]).toEqual({
      requestId: second,
      at,
      key: { id: shop.id, name: "Shop", prefix: shop.secret.slice(0, 12), lastFour: secret?.lastFour },
      method: "POST",
      route: "/api/public/v1/messages",
      status: 422,
      code: "template_not_approved",
      field: null,
      clientMessageId: "a-1",
      durationMs: 1.5,
      explanation: { message, nextStep: staffRemedy, remedy, resend },
    });
    expect(page).toMatchObject({ next_cursor: null, omitted: [] });
  });

  test("is narrowed by each of its filters, and by several at once", async () => {
    const a = await addRefusal(ctx, { keyId: shop.id, refusedAt: hoursAgo(4), clientMessageId: "a" });
    const b = await addRefusal(ctx, { keyId: crm.id, refusedAt: hoursAgo(3), clientMessageId: "a" });
    const limited = { code: "rate_limited", status: 429, route: "/api/public/v1/ping" } as const;
    const c = await addRefusal(ctx, { keyId: crm.id, refusedAt: hoursAgo(2), ...limited });
    expect(await idsOf({})).toEqual([c, b, a]);
    for (const [input, ids] of [
      [{ requestId: b }, [b]],
      [{ requestId: b.toUpperCase() }, [b]],
      [{ requestId: "no id" }, []],
      [{ keyId: crm.id }, [c, b]],
      [{ code: "rate_limited" }, [c]],
      [{ status: 400 }, [b, a]],
      [{ route: "/api/public/v1/ping" }, [c]],
      [{ clientMessageId: "a" }, [b, a]],
      [{ anyId: b.toUpperCase() }, [b]],
      [{ anyId: "a" }, [b, a]],
      [{ anyId: "A" }, []],
      [{ anyId: "a", requestId: b }, [b]],
      [{ anyId: c, clientMessageId: "a" }, []],
      [{ since: hoursAgo(3).toISOString() }, [c, b]],
      [{ since: "PT3H" }, [c]],
      [{ since: "PT4H" }, [c, b]],
      [{ until: hoursAgo(3).toISOString() }, [a]],
      [{ keyId: crm.id, clientMessageId: "a", status: 400 }, [b]],
      [{ keyId: shop.id, code: "rate_limited" }, []],
    ] as const satisfies readonly (readonly [Input, readonly string[]])[]) {
      expect([input, await idsOf(input)]).toEqual([input, ids]);
    }
  });

  test("is for members of every role, and for no key", async () => {
    await addRefusal(ctx, { keyId: shop.id });
    for (const role of ["owner", "admin", "agent"] as const)
      expect((await list({}, await asMember(ctx, role))).data).toHaveLength(1);
    await expect(list({}, await asKey(ctx))).rejects.toMatchObject({ cause: { code: "permission_denied" } });
  });

  test("shows another organization nothing, whatever it asks for", async () => {
    const id = await addRefusal(ctx, { keyId: shop.id, clientMessageId: "a" });
    await world.database.sql`update refusal_hours set refused = refused + 5`;
    expect((await list()).omitted).toMatchObject([{ count: 5 }]);
    const stranger = await asMember(other, "owner");
    for (const input of [{}, { requestId: id }, { clientMessageId: "a" }, { anyId: id }, { anyId: "a" }])
      expect(await list(input, stranger)).toEqual({ data: [], next_cursor: null, omitted: [] });
    await expect(list({ keyId: shop.id }, stranger)).rejects.toMatchObject({
      cause: { code: "key_not_found", field: "keyId" },
    });
    await expect(callerOf(stranger).requests.get({ requestId: id })).rejects.toMatchObject({
      cause: { code: "request_not_found" },
    });
  });

  test("shows nothing that is older than seven days, before it is removed too", async () => {
    const shown = await addRefusal(ctx, { keyId: shop.id, refusedAt: hoursAgo(7 * 24 - 2) });
    const old = await addRefusal(ctx, { keyId: shop.id, refusedAt: hoursAgo(7 * 24 + 1) });
    expect(await idsOf({})).toEqual([shown]);
    expect(await idsOf({ requestId: old })).toEqual([]);
    await expect(callerOf(member).requests.get({ requestId: old })).rejects.toMatchObject({
      cause: { code: "request_not_found" },
    });
  });
});

describe("pages", () => {
  /** Reads all pages, one after another. */
  async function walk(input: Input) {
    const pages = [await list(input)];
    for (let next = pages[0]?.next_cursor ?? null; next !== null; next = pages.at(-1)?.next_cursor ?? null)
      pages.push(await list({ ...input, cursor: next }));
    return pages;
  }

  test("show each request once, also of one moment, and what was left out of each hour once", async () => {
    const { organizationId } = ctx.actor;
    const expected: string[] = [];
    for (let hour = 1; hour <= 5; hour += 1) {
      for (let i = 0; i < 7; i += 1) {
        expected.push(await addRefusal(ctx, { keyId: shop.id, refusedAt: hoursAgo(hour) }));
      }
      if (hour === 3) continue;
      await world.database.sql`
        update refusal_hours set refused = refused + ${hour} where organization_id = ${organizationId}
          and hour = ${hoursAgo(hour)}`;
    }
    // An hour without any row.
    await world.database.sql`
      insert into refusal_hours (organization_id, hour, key_id, code, refused, kept)
      values (${organizationId}, ${hoursAgo(6)}, ${crm.id}, 'rate_limited', 90, 0)`;
    for (const limit of ["1", "4", "7", "20", "100"]) {
      const pages = await walk({ limit });
      const ids = pages.flatMap(({ data }) => data.map(({ requestId }) => requestId));
      expect(ids.toSorted()).toEqual(expected.toSorted());
      expect(pages.every(({ data }) => data.length <= Number(limit))).toBe(true);
      expect(pages.flatMap(({ omitted }) => omitted)).toEqual([
        { hour: hoursAgo(1), count: 1 },
        { hour: hoursAgo(2), count: 2 },
        { hour: hoursAgo(4), count: 4 },
        { hour: hoursAgo(5), count: 5 },
        { hour: hoursAgo(6), count: 90 },
      ]);
    }
  });

  test("tell what was left out by key, code, status and time, and nothing where it isn't known", async () => {
    await addRefusal(ctx, { keyId: shop.id, refusedAt: hoursAgo(2) });
    const { organizationId } = ctx.actor;
    await world.database.sql`
      insert into refusal_hours (organization_id, hour, key_id, code, refused, kept) values
        (${organizationId}, ${hoursAgo(2)}, ${crm.id}, 'rate_limited', 90, 60),
        (${organizationId}, ${hoursAgo(3)}, ${shop.id}, 'rate_limited', 7, 6)`;
    const countOf = async (input: Input) =>
      (await list(input)).omitted.reduce((sum, { count }) => sum + count, 0);
    expect(await countOf({})).toBe(31);
    expect(await countOf({ keyId: crm.id })).toBe(30);
    expect(await countOf({ code: "rate_limited", keyId: shop.id })).toBe(1);
    expect(await countOf({ status: 429 })).toBe(31);
    expect(await countOf({ status: 400 })).toBe(0);
    expect(await countOf({ since: hoursAgo(2).toISOString() })).toBe(30);
    expect(await countOf({ until: hoursAgo(2).toISOString() })).toBe(1);
    expect(await countOf({ clientMessageId: "a" })).toBe(0);
    expect(await countOf({ anyId: "a" })).toBe(0);
  });

  test("cost the same however few match: one of many thousand is found, by pages that may be empty", async () => {
    await addMany(25_000, new Date());
    const wanted = await addRefusal(ctx, {
      keyId: shop.id,
      code: "rate_limited",
      refusedAt: hoursAgo(24),
    });
    const pages = await walk({ code: "rate_limited" });
    expect(pages.map(({ data }) => data.length)).toEqual([0, 0, 1]);
    expect(pages.at(-1)?.data[0]?.requestId).toBe(wanted);
    expect(await idsOf({ requestId: wanted })).toEqual([wanted]);
  });
});

test("a text that is the id of one request and the integrator's of others finds each once, newest first", async () => {
  const own = await addRefusal(ctx, { keyId: shop.id, refusedAt: hoursAgo(3) });
  const older = await addRefusal(ctx, { keyId: shop.id, refusedAt: hoursAgo(4), clientMessageId: own });
  const newer = await addRefusal(ctx, { keyId: crm.id, refusedAt: hoursAgo(2), clientMessageId: own });
  const both = await addRefusal(ctx, { keyId: crm.id, refusedAt: hoursAgo(1) });
  await world.database.sql`update api_requests set client_message_id = id::text where id = ${both}`;
  expect(await idsOf({ anyId: own })).toEqual([newer, own, older]);
  const first = await list({ anyId: own, limit: "2" });
  const second = await list({ anyId: own, limit: "2", cursor: first.next_cursor ?? "" });
  expect([first, second].map(({ data }) => data.map(({ requestId }) => requestId))).toEqual([
    [newer, own],
    [older],
  ]);
  expect(await idsOf({ anyId: both })).toEqual([both]);
});

test("one request is found by its id", async () => {
  const id = await addRefusal(ctx, { keyId: shop.id, clientMessageId: "b" });
  await addRefusal(ctx, { keyId: shop.id });
  const found = await callerOf(member).requests.get({ requestId: id });
  expect(found).toMatchObject({ requestId: id, clientMessageId: "b", key: { name: "Shop" } });
  await expect(callerOf(member).requests.get({ requestId: "x" })).rejects.toMatchObject({
    cause: { code: "request_not_found" },
  });
});

describe("the export", () => {
  async function textOf(chunks: AsyncIterable<string>): Promise<string> {
    let text = "";
    for await (const chunk of chunks) text += chunk;
    return text;
  }

  test("holds all that the filter lets through, in the order of the list", async () => {
    await addMany(1_203, new Date());
    await addRefusal(ctx, { keyId: crm.id, clientMessageId: "=1+1", refusedAt: hoursAgo(5) });
    const lines = (await textOf(exportRequests({ ctx: member, input: {} }))).split("\r\n");
    expect(lines).toHaveLength(1 + 1_204 + 1);
    expect(lines[0]).toMatch(/^\uFEFFat,request_id,key_id,key_name,/);
    expect(lines.at(-2)).toContain(`${hoursAgo(5).toISOString()},`);
    expect(lines.at(-2)).toContain(",CRM,");
    expect(lines.at(-2)).toContain(",'=1+1,");
    const some = await textOf(exportRequests({ ctx: member, input: { keyId: crm.id } }));
    expect(some.split("\r\n")).toHaveLength(3);
    const none = await textOf(exportRequests({ ctx: member, input: { clientMessageId: "a\0" } }));
    expect(none.split("\r\n")).toHaveLength(2);
  });

  test("is refused before its first chunk, to a key and for another organization's key", async () => {
    const asked = exportRequests({ ctx: await asKey(ctx), input: {} });
    await expect(asked.next()).rejects.toMatchObject({ code: "permission_denied" });
    const stranger = await asMember(other, "owner");
    const foreign = exportRequests({ ctx: stranger, input: { keyId: shop.id } });
    await expect(foreign.next()).rejects.toMatchObject({ code: "key_not_found" });
  });
});
