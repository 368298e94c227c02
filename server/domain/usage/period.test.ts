import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorOf } from "@/server/domain/keys/testing";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { HOUR_MS } from "./points";
import { summarizeUsage, summarizeUsageInput } from "./summary";
import { addHistory, pastMessage, type PastMessage } from "./testing";

const DAY_MS = 24 * HOUR_MS;

let shared: SendWorld;
let world: SendWorld;

beforeAll(async () => void (shared = await openSendWorld()));
afterAll(() => shared.close());
beforeEach(async () => {
  const ctx = await createTestOrganization(shared.services);
  world = { ...shared, ctx, channelId: await connectTestChannel(ctx, true) };
});

interface Asked {
  readonly range?: "24h" | "7d";
  readonly since?: string;
  readonly until?: string;
  readonly channelId?: string;
}

const summarize = (asked: Asked, options = {}) =>
  summarizeUsage({ ctx: world.ctx, input: summarizeUsageInput.parse(asked) }, options);

const past = (message: Partial<PastMessage>) => pastMessage(world, message);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Dates the organization back, as if it had been there all the time. */
const foundedAgo = (ms: number) =>
  world.sql`update organizations set created_at = ${ago(ms)} where id = ${world.ctx.actor.organizationId}`;

describe("the period before", () => {
  const yesterday = 30 * HOUR_MS;

  test("is counted, and says since when the organization has existed if that is later", async () => {
    await addHistory(world, [
      past({ agoMs: yesterday }),
      past({ agoMs: yesterday }),
      past({ agoMs: HOUR_MS }),
    ]);
    const young = await summarize({ range: "24h" });
    expect(young.previous.missing?.reason).toBe("created");
    expect(Math.abs(Date.now() - (young.previous.missing?.until.getTime() ?? 0))).toBeLessThan(60_000);
    await foundedAgo(10 * DAY_MS);
    const { totals, previous } = await summarize({ range: "24h" });
    expect([totals.accepted, previous.totals.accepted, previous.missing]).toEqual([1, 2, null]);
    expect([totals.refused, previous.totals.refused]).toEqual([0, 0]);
    expect(
      (await summarize({ range: "24h", channelId: world.channelId })).previous.totals.refused,
    ).toBeNull();
  });

  test("isn't compared with where its counts were deleted, or aren't there yet", async () => {
    await foundedAgo(800 * DAY_MS);
    await addHistory(world, [past({ agoMs: yesterday }), past({ agoMs: HOUR_MS })]);
    const old = await summarize({ since: ago(300 * DAY_MS) });
    expect([old.previous.missing?.reason, old.keptSince]).toEqual(["deleted", null]);
    await world.sql`
      insert into usage_progress (organization_id, counted_from, counted_until)
      values (${world.ctx.actor.organizationId}, now() - interval '26 hours', now() - interval '1 hour')`;
    expect((await summarize({ range: "24h" })).previous.missing?.reason).toBe("uncounted");
  });

  test("isn't compared with where it has more messages than are counted while somebody waits", async () => {
    await foundedAgo(10 * DAY_MS);
    await addHistory(
      world,
      [30, 29, 28, 27].map((hours) => past({ agoMs: hours * HOUR_MS })),
    );
    expect((await summarize({ range: "24h" }, { liveMax: 3 })).previous.missing?.reason).toBe("uncounted");
    expect((await summarize({ range: "24h" }, { liveMax: 5 })).previous.missing).toBeNull();
  });
});

test("a span starts where counts are kept, and ends after it starts", async () => {
  const { points, keptSince } = await summarize({ since: ago(500 * DAY_MS) });
  expect(keptSince?.getTime()).toBeGreaterThan(Date.now() - 401 * DAY_MS);
  expect(points.length).toBeLessThanOrEqual(402);
  expect((points[0]?.startsAt.getTime() ?? 0) + HOUR_MS).toBeGreaterThan(keptSince?.getTime() ?? Infinity);
  const refusedField = async (asked: Asked) => (await errorOf(summarize(asked)))?.field;
  expect(await refusedField({ since: ago(HOUR_MS), until: ago(HOUR_MS + 1) })).toBe("since");
  expect(await refusedField({ since: ago(-HOUR_MS) })).toBe("since");
  expect(await refusedField({ since: ago(900 * DAY_MS), until: ago(800 * DAY_MS) })).toBe("until");
  for (const wrong of [
    {},
    { range: "7d", since: ago(DAY_MS) },
    { until: ago(0) },
    { range: "7d", until: ago(0) },
  ])
    expect(summarizeUsageInput.safeParse(wrong).success).toBe(false);
});
