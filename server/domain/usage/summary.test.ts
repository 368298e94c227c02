import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DELIVERY_STATES } from "@/db/schema";
import { ERRORS } from "@/server/platform/errors";
import { createKey } from "@/server/domain/keys/create";
import { errorOf } from "@/server/domain/keys/testing";
import { asKey, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { countUsage } from "./count";
import { HOUR_MS, type Range } from "./points";
import { summarizeUsage, summarizeUsageInput } from "./summary";
import { addHistory, crashingAfter, pastMessage, type PastMessage } from "./testing";

let shared: SendWorld;
let world: SendWorld;
let channels: string[];
let keys: string[];

beforeAll(async () => void (shared = await openSendWorld({ database: "own" })));
afterAll(() => shared.close());
beforeEach(inNewOrganization);

async function inNewOrganization(): Promise<void> {
  const ctx = await createTestOrganization(shared.services);
  channels = [await connectTestChannel(ctx, true), await connectTestChannel(ctx)];
  keys = [];
  for (const name of ["Shop", "Clinic"]) keys.push((await createKey({ ctx, input: { name } })).id);
  world = { ...shared, ctx, channelId: channels[0] ?? "" };
}

interface Asked {
  readonly range?: Range;
  readonly since?: string;
  readonly until?: string;
  readonly zone?: string;
  readonly channelId?: string | undefined;
  readonly keyId?: string | undefined;
}

const summarize = (asked: Asked = {}, options = {}) =>
  summarizeUsage({ ctx: world.ctx, input: inputOf(asked) }, options);

const inputOf = (asked: Asked) =>
  summarizeUsageInput.parse(asked.since === undefined ? { range: "7d", ...asked } : asked);

const count = (services = world.services) => countUsage(services);

const DAY_MS = 24 * HOUR_MS;
const past = (message: Partial<PastMessage>) => pastMessage(world, message);

/** A message described by numbers, so that histories don't depend on ids. */
const planned = fc.record({
  agoMs: fc.oneof(
    fc.integer({ min: 0, max: 3 * HOUR_MS }),
    fc.integer({ min: 0, max: 8 * DAY_MS }),
    fc.integer({ min: 0, max: 95 * DAY_MS }),
  ),
  channel: fc.nat(1),
  key: fc.nat(2),
  state: fc.constantFrom(...DELIVERY_STATES),
  code: fc.constantFrom("upstream_rejected", "expired"),
  handedOverMs: fc.option(fc.integer({ min: 0, max: 100_000_000 })),
  deliveredMs: fc.option(fc.integer({ min: 0, max: 100_000_000 })),
});

function messageOf({
  channel,
  key,
  code,
  state,
  ...times
}: typeof planned extends fc.Arbitrary<infer T> ? T : never) {
  return past({
    ...times,
    state,
    errorCode: state === "failed" ? code : null,
    channelId: channels[channel] ?? "",
    keyId: keys[key] ?? null,
  });
}

type Summary = Awaited<ReturnType<typeof summarize>>;

/** The same facts, counted message by message. */
async function naive({ points, asOf }: Summary, asked: Asked) {
  const { channelId, keyId } = { channelId: asked.channelId ?? null, keyId: asked.keyId ?? null };
  const [first, last] = [points[0]?.startsAt ?? asOf, points.at(-1)?.endsAt ?? asOf];
  const starts = points.map(({ startsAt }) => startsAt.toISOString());
  return world.sql<Record<string, number | null>[]>`
    with m as (
      select *, extract(epoch from sent_at - created_at)::float8 * 1000 as handed,
        extract(epoch from delivered_at - sent_at)::float8 * 1000 as arrived
      from messages where organization_id = ${world.ctx.actor.organizationId} and kind = 'outbound'
        and created_at >= ${first} and created_at < ${last}
        and (${channelId}::uuid is null or channel_id = ${channelId}) and (${keyId}::uuid is null or key_id = ${keyId}))
    select p.n::int - 1 as point, count(m.id)::int as accepted,
      count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'sent')::int as sent,
      count(*) filter (where state = 'delivered')::int as delivered, count(*) filter (where state = 'read')::int as read,
      count(*) filter (where state = 'failed')::int as failed,
      count(handed)::int as "handedCount", percentile_disc(0.5) within group (order by handed) as "handedP50",
      percentile_disc(0.95) within group (order by handed) as "handedP95",
      count(arrived)::int as "arrivedCount", percentile_disc(0.5) within group (order by arrived) as "arrivedP50",
      percentile_disc(0.95) within group (order by arrived) as "arrivedP95"
    from unnest(${starts}::text[]::timestamptz[]) with ordinality as p (start, n)
    left join m on m.created_at >= p.start and m.created_at < coalesce(
      (${starts}::text[]::timestamptz[])[p.n + 1], ${last})
    group by p.n order by p.n`;
}

/** Compares within the accuracy of percentiles: null stays null. */
function expectNear(reported: number | null, exact: number | null | undefined): void {
  if (reported === null || exact === null || exact === undefined) return expect(reported).toBe(exact ?? null);
  expect(Math.abs(reported - exact)).toBeLessThanOrEqual(exact * 0.091 + 1);
}

async function expectNaive(asked: Asked): Promise<void> {
  const summary = await summarize(asked);
  const rows = await naive(summary, asked);
  for (const [index, point] of summary.points.entries()) {
    const { startsAt: _, endsAt: __, handedOverAfter, deliveredAfter, refused: ___, ...counts } = point;
    const row = rows[index] ?? {};
    expect(row).toMatchObject(counts);
    expect([handedOverAfter.count, deliveredAfter.count]).toEqual([row["handedCount"], row["arrivedCount"]]);
    expectNear(handedOverAfter.p50Ms, row["handedP50"]);
    expectNear(handedOverAfter.p95Ms, row["handedP95"]);
    expectNear(deliveredAfter.p50Ms, row["arrivedP50"]);
    expectNear(deliveredAfter.p95Ms, row["arrivedP95"]);
  }
  const accepted = rows.reduce((sum, row) => sum + (row["accepted"] ?? 0), 0);
  expect(summary.totals.accepted).toBe(accepted);
  const sumOf = (parts: readonly { accepted: number }[]) =>
    parts.reduce((sum, part) => sum + part.accepted, 0);
  expect([sumOf(summary.byChannel), sumOf(summary.byKey)]).toEqual([accepted, accepted]);
  expect(summary.failures.reduce((sum, one) => sum + one.count, 0)).toBe(summary.totals.failed);
}

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** The period before has the totals that it has when it is asked for. */
async function expectPrevious(asked: Asked): Promise<void> {
  const { previous } = await summarize(asked);
  const [since, until] = [previous.since.toISOString(), previous.until.toISOString()];
  const { zone, keyId } = asked;
  expect((await summarize({ since, until, zone: zone ?? "UTC", keyId })).totals).toEqual(previous.totals);
}

describe("the summary", () => {
  test("of any history is what counting message by message gives, whatever was counted before", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(planned, { minLength: 1, maxLength: 60 }),
        fc.array(planned, { maxLength: 5 }),
        fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"),
        fc.nat(12),
        async (history, recent, zone, hoursCounted) => {
          await inNewOrganization();
          await addHistory(world, history.map(messageOf));
          for (const asked of [{ range: "24h" }, { range: "90d", zone }] as const) await expectNaive(asked);
          // A run that breaks off somewhere, then a complete one.
          const sql = crashingAfter(world.services.sql, hoursCounted);
          await count({ ...world.services, sql }).catch(() => true);
          await expectNaive({ range: "90d", zone });
          expect(await count()).toBe(false);
          await addHistory(
            world,
            recent.map((one) => messageOf({ ...one, agoMs: one.agoMs % 1000 })),
          );
          for (const range of ["24h", "7d", "30d", "90d"] as const) await expectNaive({ range, zone });
          await expectNaive({ since: ago(50.5 * HOUR_MS), until: ago(1.5 * HOUR_MS), zone });
          await expectNaive({ since: ago(30.5 * DAY_MS), until: ago(1.5 * HOUR_MS), zone });
          for (const range of ["24h", "7d"] as const) await expectPrevious({ range, zone, keyId: keys[0] });
          await expectNaive({ range: "7d", channelId: channels[1] });
          await expectNaive({ range: "90d", keyId: keys[0] });
        },
      ),
      { numRuns: 15 },
    );
  });

  test("names channels and keys, and tells failures in words for staff, the commonest first", async () => {
    const failed = { state: "failed", handedOverMs: null, deliveredMs: null } as const;
    const agoMs = 5 * HOUR_MS;
    await addHistory(world, [
      past({ agoMs, keyId: keys[0] ?? "" }),
      past({ agoMs, ...failed, errorCode: "expired", keyId: keys[0] ?? "" }),
      past({ agoMs, ...failed, errorCode: "upstream_rejected" }),
      past({ agoMs: 0, ...failed, errorCode: "upstream_rejected" }),
      past({ agoMs: 0, ...failed, errorCode: "of_another_version" }),
    ]);
    await count();
    const { failures, byChannel, byKey } = await summarize({ range: "24h" });
    expect(failures).toMatchObject([
      {
        code: "upstream_rejected",
        count: 2,
        message: ERRORS.upstream_rejected.message,
        remedy: ERRORS.upstream_rejected.staffRemedy,
      },
      { code: "expired", count: 1, remedy: ERRORS.expired.staffRemedy },
      { code: "of_another_version", count: 1, message: null, remedy: null },
    ]);
    expect(byChannel).toMatchObject([
      { channelId: world.channelId, name: "Test channel", accepted: 5, failed: 4 },
    ]);
    expect(byKey).toMatchObject([
      { keyId: null, name: null, accepted: 3, failed: 3 },
      { keyId: keys[0], name: "Shop", accepted: 2, failed: 1, read: 1 },
    ]);
  });

  test("counts its own refusals by code, of all keys or one; of a channel nobody knows them", async () => {
    const { organizationId } = world.ctx.actor;
    const { ctx: other } = shared;
    const { id: foreign } = await createKey({ ctx: other, input: { name: "Foreign" } });
    for (const [whose, keyId, code, refused] of [
      [organizationId, keys[0], "template_not_approved", 3],
      [organizationId, keys[0], "rate_limited", 1],
      [organizationId, keys[1], "rate_limited", 7],
      [other.actor.organizationId, foreign, "rate_limited", 100],
    ] as const) {
      await world.sql`
        insert into refusal_hours (organization_id, hour, key_id, code, refused, kept)
        values (${whose}, date_trunc('hour', now(), 'UTC'), ${keyId ?? ""}, ${code}, ${refused}, 0)`;
    }
    const all = await summarize();
    expect(all.refusals).toMatchObject([
      { code: "rate_limited", count: 8, remedy: ERRORS.rate_limited.remedy },
      { code: "template_not_approved", count: 3, remedy: ERRORS.template_not_approved.staffRemedy },
    ]);
    expect([all.totals.refused, all.points.at(-1)?.refused, all.points[0]?.refused]).toEqual([11, 11, 0]);
    expect((await summarize({ keyId: keys[0] })).totals.refused).toBe(4);
    const ofChannel = await summarize({ channelId: world.channelId });
    expect([ofChannel.refusals, ofChannel.totals.refused, ofChannel.points[0]?.refused]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test("says how far it reaches where more came than are counted while somebody waits", async () => {
    await addHistory(
      world,
      [10, 8, 6, 4].map((minutes) => past({ agoMs: minutes * 60_000 })),
    );
    // The customer's messages are examined, too.
    const cut = await summarize({ range: "24h" }, { liveMax: 4 });
    expect(cut.totals.accepted).toBe(3);
    expect(Math.abs(Date.now() - 4 * 60_000 - cut.asOf.getTime())).toBeLessThan(30_000);
    const whole = await summarize({ range: "24h" }, { liveMax: 5 });
    expect(whole.totals.accepted).toBe(4);
    expect(Math.abs(Date.now() - whole.asOf.getTime())).toBeLessThan(30_000);
  });

  test("refuses what the organization doesn't have, and whoever may not see it", async () => {
    const refused = async (asked: Asked) => (await errorOf(summarize(asked)))?.code;
    expect(await refused({ channelId: randomUUID() })).toBe("channel_forbidden");
    expect(await refused({ keyId: randomUUID() })).toBe("key_not_found");
    expect(summarizeUsageInput.safeParse({ range: "7d", zone: "Mars/Olympus" }).success).toBe(false);
    const both = { range: "7d", channelId: channels[0], keyId: keys[0] };
    expect(summarizeUsageInput.safeParse(both).success).toBe(false);
    const input = summarizeUsageInput.parse({ range: "7d" });
    expect((await summarizeUsage({ ctx: await asMember(world.ctx, "agent"), input })).points).toHaveLength(
      168,
    );
    const key = summarizeUsage({ ctx: await asKey(world.ctx), input });
    expect((await errorOf(key))?.code).toBe("permission_denied");
  });
});
