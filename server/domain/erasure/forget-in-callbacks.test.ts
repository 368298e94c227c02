import { randomInt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sql } from "@/db/client";
import { newHandle, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { forgetInCallbacks } from "./forget-in-callbacks";
import { bytesOf, callback, inbound, post } from "@/server/domain/callbacks/testing";

let shared: SendWorld;
let world: SendWorld;
let ana: string;
let ben: string;

beforeAll(async () => void (shared = await openSendWorld({ database: "own" })));
beforeEach(async () => {
  const ctx = await createTestOrganization(shared.services);
  world = { ...shared, ctx, channelId: await connectTestChannel(ctx) };
  [ana, ben] = [newHandle(), newHandle()];
});
afterAll(() => shared.close());

const newWamid = () => `wamid.${randomInt(2 ** 47)}`;
const take = async (...handles: string[]) => {
  const bytes = bytesOf(callback("1", ...handles.map((handle) => inbound(handle, newWamid()))));
  expect(await post(world.services, world.channelId, bytes)).toBe(200);
};

const forget = (name: string, more: { since?: Date; sql?: Sql } = {}) => {
  const { since, sql = world.services.sql } = more;
  const ctx = { ...world.ctx, services: { ...world.services, sql } };
  return forgetInCallbacks({ ctx, input: { names: new Set([name]), since } });
};

async function namingCount(name: string): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from upstream_callbacks where position(${name} in encode(body, 'escape')) > 0`;
  return row?.count ?? 0;
}

/** A pool that calls back with each statement's text before it runs and with its rows after. */
function watched(before: (text: string) => Promise<void>, after: (rows: readonly unknown[]) => void): Sql {
  return new Proxy(world.services.sql, {
    apply: async (target, thisArg, args) => {
      await before(String(args[0]));
      const rows = await Reflect.apply(target, thisArg, args);
      after([...rows]);
      return rows;
    },
  });
}

test("callbacks are read a few megabytes at a time, however many and large they are", async () => {
  const filler = "x".repeat(1024 * 1024);
  const bytes = Buffer.from(`{"entry":[{"from":"${ana}","words":"${filler}"}]}`);
  for (let count = 0; count < 20; count++) await post(world.services, world.channelId, bytes);
  const read: number[] = [];
  const sql = watched(
    () => Promise.resolve(),
    (rows) => read.push(rows.reduce<number>((sum, row) => sum + (Object(row).body?.length ?? 0), 0)),
  );
  expect(await forget(ana, { sql })).toBe(20);
  expect(Math.max(...read)).toBeGreaterThan(1024 * 1024);
  expect(Math.max(...read)).toBeLessThanOrEqual(10 * 1024 * 1024);
  expect(await namingCount(ana)).toBe(0);
});

test("one that is larger than all that is read at once is read alone", async () => {
  const { organizationId } = world.ctx.actor;
  const large = Buffer.from(`{"entry":[{"from":"${ana}","words":"${"x".repeat(9 * 1024 * 1024)}"}]}`);
  await take(ben);
  await world.sql`
    insert into upstream_callbacks (id, organization_id, channel_id, body)
    values (gen_random_uuid(), ${organizationId}, ${world.channelId}, ${large})`;
  await take(ana);
  expect(await forget(ana)).toBe(2);
  expect([await namingCount(ana), await namingCount(ben)]).toEqual([0, 1]);
});

test("what two take out of one callback at once, neither brings back", async () => {
  await take(ana, ben);
  let isSecond = false;
  const sql = watched(
    async (text) => {
      if (isSecond || !text.includes("update upstream_callbacks")) return;
      isSecond = true;
      expect(await forget(ben)).toBe(1);
    },
    () => undefined,
  );
  expect(await forget(ana, { sql })).toBe(1);
  expect([await namingCount(ana), await namingCount(ben)]).toEqual([0, 0]);
});

test("those of another organization stay, and so do those from before a time that is given", async () => {
  await take(ana);
  const foreign = await createTestOrganization(world.services);
  const bytes = bytesOf(callback("1", inbound(ana, newWamid())));
  await post(world.services, await connectTestChannel(foreign), bytes);
  expect(await forget(ana, { since: new Date(Date.now() + 2 * 60 * 60_000) })).toBe(0);
  expect(await namingCount(ana)).toBe(2);
  expect(await forget(ana, { since: new Date() })).toBe(1);
  expect(await namingCount(ana)).toBe(1);
});
