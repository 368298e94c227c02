import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WebhookErrorClass } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf } from "@/server/domain/keys/testing";
import { asKey } from "@/server/domain/messages/testing";
import { asMember, createTestOrganization } from "@/server/domain/organizations/testing";
import {
  addEndpoint,
  addPastDeliveries,
  openWebhookWorld,
  PUBLIC_URL,
  type WebhookWorld,
} from "@/server/domain/webhooks/testing";
import { rowsReadBy } from "@/server/testing";
import { summarizeWebhooks, summarizeWebhooksInput } from "./webhooks";

const HOUR_SECONDS = 3_600;

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let member: Context;

beforeAll(async () => void (world = await openWebhookWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  member = await asMember(ctx, "owner");
});

const summarize = (input: object = { range: "24h" }, options = {}, as = member) =>
  summarizeWebhooks({ ctx: as, input: summarizeWebhooksInput.parse(input) }, options);

/** Adds an attempt to each delivery, with these durations in turn. */
async function addAttempts(
  deliveryIds: readonly string[],
  durationsMs: readonly (number | null)[],
  { errorClass = null, number = 1, isOver = true }: AttemptInit = {},
): Promise<void> {
  const rows = deliveryIds.map((id, index) => ({ id, ms: durationsMs[index % durationsMs.length] }));
  await world.sql`
    insert into webhook_attempts (organization_id, delivery_id, number, duration_ms, error_class, finished_at)
    select ${ctx.actor.organizationId}, r.id, ${number}, r.ms, ${errorClass}, case when ${isOver} then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id uuid, ms int)`;
}

interface AttemptInit {
  readonly errorClass?: WebhookErrorClass | null;
  readonly number?: number;
  readonly isOver?: boolean;
}

describe("a summary of webhook endpoints", () => {
  test("counts attempts, successes and response times of each endpoint", async () => {
    const { id } = await addEndpoint(ctx, { url: PUBLIC_URL, description: "Shop" });
    const { id: idle } = await addEndpoint(ctx, { url: PUBLIC_URL });
    await addEndpoint(ctx, { url: null });
    const deliveries = await addPastDeliveries(ctx, id, { count: 20, secondsAgo: 2 * HOUR_SECONDS });
    await addAttempts(deliveries.slice(0, 19), [100, 200, 300]);
    await addAttempts(deliveries.slice(19), [9_000], { errorClass: "timeout" });
    await addAttempts(deliveries.slice(19), [50], { number: 2 });
    const { endpoints } = await summarize();
    expect(endpoints.toSorted((one, other) => one.attempts - other.attempts)).toEqual([
      {
        id: idle,
        url: PUBLIC_URL,
        description: "",
        attempts: 0,
        succeeded: 0,
        p50Ms: null,
        p95Ms: null,
        examinedSince: null,
      },
      {
        id,
        url: PUBLIC_URL,
        description: "Shop",
        attempts: 21,
        succeeded: 20,
        p50Ms: 200,
        p95Ms: 300,
        examinedSince: null,
      },
    ]);
  });

  test("leaves out calls that run or were never made, tests, and events outside of the period", async () => {
    const { id } = await addEndpoint(ctx, { url: PUBLIC_URL });
    const deliver = async (past: Parameters<typeof addPastDeliveries>[2], attempt: AttemptInit = {}) =>
      addAttempts(await addPastDeliveries(ctx, id, past), [10], attempt);
    await deliver({ secondsAgo: HOUR_SECONDS });
    await deliver({ secondsAgo: HOUR_SECONDS }, { isOver: false });
    await deliver({ secondsAgo: HOUR_SECONDS }, { errorClass: "erased" });
    await deliver({ secondsAgo: HOUR_SECONDS }, { errorClass: "interrupted" });
    await deliver({ secondsAgo: HOUR_SECONDS, type: "webhook.test" }, { errorClass: "status" });
    await deliver({ secondsAgo: 30 * HOUR_SECONDS }, { errorClass: "status" });
    expect((await summarize()).endpoints).toMatchObject([{ attempts: 1, succeeded: 1 }]);
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_SECONDS * 1000).toISOString();
    expect((await summarize({ since: ago(40), until: ago(20) })).endpoints).toMatchObject([
      { attempts: 1, succeeded: 0 },
    ]);
  });

  test("says where deliveries were deleted", async () => {
    expect((await summarize({ range: "7d" })).keptSince).toBeNull();
    const { keptSince } = await summarize({ range: "90d" });
    expect(Math.abs(Date.now() - (keptSince?.getTime() ?? 0) - 30 * 24 * 3_600_000)).toBeLessThan(60_000);
  });

  test("is for members who may manage webhooks, and knows no other organization's", async () => {
    await addEndpoint(ctx, { url: PUBLIC_URL });
    const other = await asMember(await createTestOrganization(world.services), "owner");
    expect((await summarize({ range: "24h" }, {}, other)).endpoints).toEqual([]);
    for (const as of [await asMember(ctx, "agent"), await asKey(ctx)])
      expect((await errorOf(summarize({ range: "24h" }, {}, as)))?.code).toBe("permission_denied");
  });
});

test("of many events, only the newest of each endpoint are examined, and it says since when", async () => {
  const [{ id }, { id: other }] = [
    await addEndpoint(ctx, { url: PUBLIC_URL }),
    await addEndpoint(ctx, { url: PUBLIC_URL }),
  ];
  const old = await addPastDeliveries(ctx, id, { count: 20_000, secondsAgo: 3 * HOUR_SECONDS });
  const recent = await addPastDeliveries(ctx, id, { count: 50, secondsAgo: HOUR_SECONDS });
  await addAttempts(old, [500]);
  await addAttempts(recent, [20]);
  await addAttempts(await addPastDeliveries(ctx, other, { secondsAgo: HOUR_SECONDS }), [30]);
  await world.sql`vacuum (analyze) webhook_deliveries, webhook_attempts`;
  const read = (table: string) =>
    rowsReadBy(world.sql, table, async (sql) => {
      const as = { ...member, services: { ...member.services, sql } };
      const { endpoints } = await summarize({ range: "24h" }, { examinedMax: 100 }, as);
      const [few, much] = [other, id].map((one) => endpoints.find((endpoint) => endpoint.id === one));
      expect(few).toMatchObject({ attempts: 1, p50Ms: 30, examinedSince: null });
      expect(much).toMatchObject({ attempts: 50, p95Ms: 20 });
      expect(Math.abs(Date.now() - (much?.examinedSince?.getTime() ?? 0) - 3_600_000)).toBeLessThan(60_000);
    });
  expect(await read("webhook_deliveries")).toBeLessThan(200);
  expect(await read("webhook_attempts")).toBeLessThan(200);
  const { endpoints } = await summarize();
  expect(endpoints.find((endpoint) => endpoint.id === id)).toMatchObject({ attempts: 5_000 });
});
