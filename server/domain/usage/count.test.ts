import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { countUsage } from "./count";
import { HOUR_MS, type Range } from "./points";
import { summarizeUsage, summarizeUsageInput } from "./summary";
import { addHistory, countAtOnce, countedRows, pastMessage, type PastMessage } from "./testing";

const DAY_MS = 24 * HOUR_MS;

let shared: SendWorld;
let world: SendWorld;
let keyId: string;

beforeAll(async () => void (shared = await openSendWorld({ database: "own" })));
afterAll(() => shared.close());
beforeEach(async () => {
  const ctx = await createTestOrganization(shared.services);
  ({ id: keyId } = await createKey({ ctx, input: { name: "Shop" } }));
  world = { ...shared, ctx, channelId: await connectTestChannel(ctx, true) };
});

const past = (message: Partial<PastMessage>) => pastMessage(world, message);
const count = () => countUsage(world.services);
const summarize = (range: Range) =>
  summarizeUsage({ ctx: world.ctx, input: summarizeUsageInput.parse({ range }) });

describe("counting", () => {
  test("again, or in several processes at once, leaves the same rows", async () => {
    const history = Array.from({ length: 40 }, (_, index) => past({ agoMs: index * 5 * HOUR_MS, keyId }));
    await addHistory(world, history);
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(world.services.log), {
      error: (fault: unknown) => errors.push(fault),
    });
    await Promise.all([1, 2, 3].map(() => countUsage({ ...world.services, log })));
    await count();
    const rows = await countedRows(world.sql, world.ctx.actor.organizationId);
    expect(rows.length).toBeGreaterThan(100);
    await world.sql`delete from usage_progress where organization_id = ${world.ctx.actor.organizationId}`;
    await count();
    expect(await countedRows(world.sql, world.ctx.actor.organizationId)).toEqual(rows);
    expect(errors).toEqual([]);
  });

  test("in several processes at once is done when they are", async () => {
    expect(await countAtOnce(world, 10)).toEqual(Array(10).fill(null));
  });

  test.each([
    ["recounted_soon_until", 5],
    ["recounted_later_until", 25],
    ["recounted_last_until", 73],
  ])("looks again at what may have changed: %s", async (column, hours) => {
    await addHistory(world, [past({ agoMs: (hours + 1) * HOUR_MS, state: "sent", deliveredMs: null })]);
    await count();
    await world.sql`
      update messages set state = 'read'
      where organization_id = ${world.ctx.actor.organizationId} and kind = 'outbound'`;
    await count();
    expect((await summarize("7d")).totals).toMatchObject({ sent: 1, read: 0 });
    // The state before that hour was due again.
    const { sql } = world;
    await sql`update usage_progress set ${sql(column)} = 'epoch' where organization_id = ${world.ctx.actor.organizationId}`;
    await count();
    expect((await summarize("7d")).totals).toMatchObject({ sent: 0, read: 1 });
  });

  test("what an older version sent goes backwards, and the summary says how far", async () => {
    const { organizationId } = world.ctx.actor;
    await addHistory(world, [past({ agoMs: 2 * DAY_MS }), past({ agoMs: 50 * DAY_MS }), past({ agoMs: 0 })]);
    await world.sql`
      insert into usage_progress (organization_id, counted_from, counted_until, recounted_soon_until, recounted_later_until,
        recounted_last_until)
      select ${organizationId}, hour, hour, hour, hour, hour from (select date_trunc('hour', now(), 'UTC') as hour) present`;
    const before = await summarize("90d");
    expect([before.totals.accepted, before.countedSince === null]).toEqual([1, false]);
    expect(await countUsage(world.services)).toBe(false);
    const after = await summarize("90d");
    expect([after.totals.accepted, after.countedSince]).toEqual([3, null]);
  });

  test("takes its history in portions, and says when more is left", async () => {
    await addHistory(
      world,
      Array.from({ length: 5 }, (_, index) => past({ agoMs: (10 + index) * DAY_MS })),
    );
    let runs = 1;
    while (await countUsage(world.services, { runMs: 0 })) runs += 1;
    expect(runs).toBeGreaterThan(5);
    expect(await countedRows(world.sql, world.ctx.actor.organizationId)).toHaveLength(5 * 3);
  });

  test("forgets what is older than 400 days", async () => {
    const { organizationId } = world.ctx.actor;
    await world.sql`
      insert into latency_hours (organization_id, hour, handed_over, delivered)
      values (${organizationId}, now() - interval '401 days', '{1}', '{1}')`;
    await addHistory(world, [past({ agoMs: 3 * HOUR_MS })]);
    await count();
    const rows = await world.sql`
      select 1 from latency_hours where organization_id = ${organizationId} and hour < now() - interval '400 days'`;
    expect(rows).toHaveLength(0);
  });
});
