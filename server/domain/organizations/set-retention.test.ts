import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf } from "@/server/domain/messages/testing";
import { setRetention } from "./set-retention";
import { asMember, createTestOrganization, openTestWorld, type TestWorld } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

async function daysOf(organizationId: string) {
  const [row] = await world.database.sql<{ days: number }[]>`
    select retention_days as days from organizations where id = ${organizationId}`;
  return row?.days;
}

async function auditOf(organizationId: string) {
  const rows = await world.database.sql`
    select actor_kind, detail from audit_log
    where subject_id = ${organizationId} and action = 'organization.retention_set' order by created_at`;
  return [...rows];
}

test("content is kept for 90 days unless it is set; who set it is written down, and nothing for what it was", async () => {
  const ctx = await createTestOrganization(world.services);
  const { organizationId } = ctx.actor;
  expect(await daysOf(organizationId)).toBe(90);
  await setRetention({ ctx, input: { days: 90 } });
  expect(await auditOf(organizationId)).toEqual([]);
  await setRetention({ ctx: await asMember(ctx, "owner"), input: { days: 2 } });
  expect(await daysOf(organizationId)).toBe(2);
  expect(await auditOf(organizationId)).toEqual([{ actor_kind: "member", detail: { from: 90, to: 2 } }]);
});

test.each([1, 0, -5, 2.5, 40_000])("%s days can't be set", async (days) => {
  const ctx = await createTestOrganization(world.services);
  expect(await codeOf(setRetention({ ctx, input: { days } }))).toBe("validation_failed");
  expect(await daysOf(ctx.actor.organizationId)).toBe(90);
});

test("the database itself keeps nothing for less than two days", async () => {
  const { actor } = await createTestOrganization(world.services);
  const set = world.database
    .sql`update organizations set retention_days = 1 where id = ${actor.organizationId}`;
  await expect(set).rejects.toMatchObject({ constraint_name: "organizations_retention_days_check" });
});

test("an agent can't set it", async () => {
  const ctx = await createTestOrganization(world.services);
  const agent = await asMember(ctx, "agent");
  expect(await codeOf(setRetention({ ctx: agent, input: { days: 30 } }))).toBe("permission_denied");
});
