import { afterEach, beforeEach, expect, test } from "vitest";
import { createOrm } from "@/db/client";
import { firstStart } from "@/server/ops/demo/first-start";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";

let world: TestWorld;
beforeEach(async () => {
  world = await openTestWorld({ database: "own" });
});
afterEach(() => world.close());

const start = (services = world.services) =>
  firstStart({ services, simulatorUrl: null, baseUrl: "http://localhost:3000" });

async function organizations(): Promise<string[]> {
  const rows = await world.database.sql<{ id: string }[]>`select id from organizations where is_demo`;
  return rows.map((row) => row.id);
}

test("of starts at once one makes the demo organization, and later ones make none", async () => {
  const demos = await Promise.all([start(), start(), start()]);
  const made = demos.filter((demo) => demo !== null);
  expect(made).toHaveLength(1);
  expect(await organizations()).toEqual([made[0]?.organization_id]);
  expect(await start()).toBeNull();
});

test("after a start that broke half way through, the next makes a whole one", async () => {
  // Fails when a conversation is closed, after most of the demo was created.
  await world.database.sql`alter table conversations add constraint broken check (status <> 'closed')`;
  await expect(start()).rejects.toMatchObject({ cause: { constraint_name: "broken" } });
  expect(await organizations()).toHaveLength(1);
  await world.database.sql`alter table conversations drop constraint broken`;
  const demo = await start();
  expect(demo?.internal_note_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await organizations()).toContain(demo?.organization_id);
  expect(await start()).toBeNull();
});

test("needs no more than one connection beside the one that holds the lock", async () => {
  const orm = createOrm(world.database.connection, { name: "one", connectionsMax: 1 });
  expect(await start({ ...world.services, orm })).not.toBeNull();
  await orm.$client.end({ timeout: 1 });
});
