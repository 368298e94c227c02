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
import { countListedRequests, listRequests } from "./list";
import { filterSchema, listRequestsSchema } from "./schemas";
import { addRefusal } from "./testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let other: Context<SystemActor>;
let shop: { id: string };
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

const count = (input: object = {}, as: Context = member) =>
  countListedRequests({ ctx: as, input: filterSchema.parse(input) });

const addMany = (refusals: number) => world.database.sql`
  insert into api_requests (id, organization_id, key_id, secret_id, method, route, status, code, duration_ms, refused_at)
  select gen_random_uuid(), ${ctx.actor.organizationId}, ${shop.id}, ${shop.id}, 'POST', '/', 400, 'validation_failed', 1,
    now() - make_interval(secs => n) from generate_series(1, ${refusals}::int) n`;

test("the total is that of the list with its filters", async () => {
  await addRefusal(ctx, { keyId: shop.id });
  await addRefusal(ctx, { keyId: crm.id, code: "rate_limited", status: 429 });
  await addRefusal(other, { keyId: (await createKey({ ctx: other, input: { name: "Other" } })).id });
  for (const [input, expected] of [
    [{}, 2],
    [{ keyId: shop.id }, 1],
    [{ status: 429 }, 1],
    [{ method: "POST" }, 2],
    [{ method: "GET" }, 0],
  ] as const) {
    const { data } = await listRequests({ ctx: member, input: listRequestsSchema.parse(input) });
    expect(data).toHaveLength(expected);
    expect(await count(input)).toEqual({ count: expected, isMore: false });
  }
});

test("it ends at a maximum, and where a search ends", async () => {
  await addMany(1_001);
  expect(await count()).toEqual({ count: 1_000, isMore: true });
  await addMany(10_000);
  expect(await count({ code: "rate_limited" })).toEqual({ count: 0, isMore: true });
});

test("it is for members, and of their organization's keys", async () => {
  expect(await errorOf(count({}, await asKey(ctx)))).toMatchObject({ code: "permission_denied" });
  const stranger = await asMember(other, "owner");
  expect(await errorOf(count({ keyId: shop.id }, stranger))).toMatchObject({ code: "key_not_found" });
});
