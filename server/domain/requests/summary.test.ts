import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { errorOf } from "@/server/domain/keys/testing";
import { asKey } from "@/server/domain/messages/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { summarizeRequestsSchema } from "./schemas";
import { summarizeRequests } from "./summary";
import { addRequestCount } from "./testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let agent: Context<MemberActor>;
let shop: { id: string };
let crm: { id: string };

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
  agent = await asMember(ctx, "agent");
  shop = await createKey({ ctx, input: { name: "Shop" } });
  crm = await createKey({ ctx, input: { name: "CRM" } });
});
afterAll(() => world.close());
beforeEach(async () => void (await world.database.sql`truncate request_hours`));

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hours * HOUR_MS);

const MESSAGES = "/api/public/v1/messages";
const PING = "/api/public/v1/ping";

const summary = (input: object = {}) =>
  summarizeRequests({ ctx: agent, input: summarizeRequestsSchema.parse(input) });
const sizes = async (input: object = {}) =>
  (await summary(input)).routes.map(({ route, succeeded, refused }) => [route, succeeded, refused]);

test("counts the requests to each route, with the statuses of refusals, the most frequent first", async () => {
  await addRequestCount(ctx, { keyId: shop.id, status: 201, count: 90 });
  await addRequestCount(ctx, { keyId: crm.id, status: 200, count: 5, hour: hoursAgo(3) });
  await addRequestCount(ctx, { keyId: crm.id, status: 422, count: 2 });
  await addRequestCount(ctx, { keyId: shop.id, status: 422, count: 2, hour: hoursAgo(1) });
  await addRequestCount(ctx, { keyId: shop.id, status: 429, count: 9 });
  await addRequestCount(ctx, { keyId: shop.id, method: "GET", route: PING, status: 200, count: 3 });
  expect((await summary()).routes).toEqual([
    {
      method: "POST",
      route: MESSAGES,
      succeeded: 95,
      refused: 13,
      refusals: [
        { status: 429, count: 9 },
        { status: 422, count: 4 },
      ],
    },
    { method: "GET", route: PING, succeeded: 3, refused: 0, refusals: [] },
  ]);
});

test("of a key, of a method, of a route", async () => {
  await addRequestCount(ctx, { keyId: shop.id, status: 201, count: 4 });
  await addRequestCount(ctx, { keyId: crm.id, method: "GET", status: 200, count: 2 });
  await addRequestCount(ctx, { keyId: crm.id, method: "GET", route: PING, status: 200 });
  expect(await sizes({ keyId: shop.id })).toEqual([[MESSAGES, 4, 0]]);
  expect(await sizes({ keyId: crm.id, route: MESSAGES })).toEqual([[MESSAGES, 2, 0]]);
  expect(await sizes({ method: "GET" })).toEqual([
    [MESSAGES, 2, 0],
    [PING, 1, 0],
  ]);
  expect(await sizes({ route: "/\0" })).toEqual([]);
});

test("of a time, in whole hours: the last seven days if none is given, and thirty at most", async () => {
  for (const [count, hours] of [
    [1, 0],
    [10, 2],
    [100, 6 * 24],
    [1_000, 8 * 24],
    [10_000, 31 * 24],
  ] as const) {
    await addRequestCount(ctx, { keyId: shop.id, status: 200, count, hour: hoursAgo(hours) });
  }
  expect(await sizes()).toEqual([[MESSAGES, 111, 0]]);
  expect(await sizes({ since: "PT720H" })).toEqual([[MESSAGES, 1_111, 0]]);
  expect(await sizes({ since: "2026-01-01T00:00:00Z" })).toEqual([[MESSAGES, 1_111, 0]]);
  const within = new Date(hoursAgo(2).getTime() + HOUR_MS / 2).toISOString();
  expect(await sizes({ since: within })).toEqual([[MESSAGES, 11, 0]]);
  expect((await summary({ since: within })).since).toEqual(hoursAgo(2));
  expect(await sizes({ since: within, until: hoursAgo(0).toISOString() })).toEqual([[MESSAGES, 10, 0]]);
});

test("refuses a key of another organization, an unknown one, and every key as the caller", async () => {
  const other = await createTestOrganization(world.services);
  const foreign = await createKey({ ctx: other, input: { name: "Foreign" } });
  for (const keyId of [foreign.id, randomUUID(), "nothing"])
    expect(await errorOf(summary({ keyId }))).toMatchObject({ code: "key_not_found", field: "keyId" });
  const input = summarizeRequestsSchema.parse({});
  const asked = summarizeRequests({ ctx: await asKey(ctx), input });
  expect(await errorOf(asked)).toMatchObject({ code: "permission_denied" });
});
