import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { errorOf } from "@/server/domain/keys/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { rowsReadBy } from "@/server/testing";
import { countAuditInput, countListedAudit, listAudit, listAuditInput } from "./list";

let world: TestWorld;
let ctx: Context<SystemActor>;
let owner: Context<MemberActor>;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  owner = await asMember(ctx, "owner");
});
afterAll(() => world.close());

const count = (input: object = {}, as: Context = owner) =>
  countListedAudit({ ctx: as, input: countAuditInput.parse(input) });

/** Adds acts on a subject that doesn't exist. */
const addActs = (acts: number) => world.database.sql`
  insert into audit_log (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id)
  select gen_random_uuid(), ${ctx.actor.organizationId}, 'system', 'test', 'template.submitted', 'template', ${randomUUID()}
  from generate_series(1, ${acts}::int)`;

test("the total is that of the list with its filters and its search", async () => {
  await addActs(3);
  const key = await createKey({ ctx: owner, input: { name: "Counted" } });
  for (const input of [{}, { action: "template.submitted" }, { q: "Counted" }, { subjectId: key.id }]) {
    const { data } = await listAudit({ ctx: owner, input: listAuditInput.parse(input) });
    expect(data.length).toBeGreaterThan(0);
    expect(await count(input)).toEqual({ count: data.length, isMore: false });
  }
  expect(await count({ subjectId: "no-id" })).toEqual({ count: 0, isMore: false });
  const foreign = await asMember(await createTestOrganization(world.services), "owner");
  expect(await count({ q: "Counted" }, foreign)).toEqual({ count: 0, isMore: false });
  expect((await errorOf(count({}, await asMember(ctx, "agent"))))?.code).toBe("permission_denied");
});

test("it ends at a maximum, and where a search ends, and then says that there may be more", async () => {
  await addActs(10_500);
  await world.database.sql`vacuum (analyze) audit_log`;
  expect(await count()).toEqual({ count: 1_000, isMore: true });
  expect(await count({ action: "key.rotated" })).toEqual({ count: 0, isMore: true });
  const read = await rowsReadBy(ctx.services.sql, "audit_log", (sql) =>
    count({}, { ...owner, services: { ...owner.services, sql } }),
  );
  expect(read).toBeLessThan(1_500);
});
