import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { sweepRequests } from "./sweep";
import { addRefusal } from "./testing";

let world: TestWorld;
let organizations: Context<SystemActor>[];

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  organizations = [
    await createTestOrganization(world.services),
    await createTestOrganization(world.services),
  ];
});
afterAll(() => world.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

const ages = (table: string, column: string) => world.database.sql<
  { organizationId: string; days: number }[]
>`
  select organization_id as "organizationId", round(extract(epoch from now() - ${world.database.sql(column)}) / 86400)::int as days
  from ${world.database.sql(table)} order by 1, 2`;

test("requests go after seven days, and counts of all after 30 days and of refusals after 400, of every organization, however many there are", async () => {
  const expected: { requests: unknown[]; counts: unknown[]; refusals: unknown[] } = {
    requests: [],
    counts: [],
    refusals: [],
  };
  for (const ctx of organizations) {
    const { organizationId } = ctx.actor;
    const { id: keyId } = await createKey({ ctx, input: { name: "Key" } });
    for (const days of [1, 6, 8, 29, 31, 100, 398, 402]) {
      await addRefusal(ctx, { keyId, refusedAt: daysAgo(days) });
    }
    // More than one batch.
    await world.database.sql`
      insert into api_requests (id, organization_id, key_id, secret_id, method, route, status, code, duration_ms, refused_at)
      select gen_random_uuid(), ${organizationId}, ${keyId}, ${keyId}, 'POST', '/', 400, 'x', 1, now() - interval '9 days'
      from generate_series(1, 1200)`;
    await world.database.sql`
      insert into request_hours (organization_id, hour, key_id, method, route, status, count)
      select ${organizationId}, now() - interval '40 days', ${keyId}, 'GET', '/' || n, 200, 1 from generate_series(1, 1200) n`;
    for (const days of [1, 6]) expected.requests.push({ organizationId, days });
    for (const days of [1, 6, 8, 29]) expected.counts.push({ organizationId, days });
    for (const days of [1, 6, 8, 29, 31, 100, 398]) expected.refusals.push({ organizationId, days });
  }
  await sweepRequests(world.services);
  expect([...(await ages("api_requests", "refused_at"))]).toEqual(expected.requests);
  expect([...(await ages("refusal_hours", "hour"))]).toEqual(expected.refusals);
  expect([...(await ages("request_hours", "hour"))]).toEqual(expected.counts);
});

test("never throws", async () => {
  const sql = new Proxy(world.services.sql, { apply: () => Promise.reject(new Error("no")) });
  await expect(sweepRequests({ ...world.services, sql })).resolves.toBeUndefined();
});
