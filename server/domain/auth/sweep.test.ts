import { afterAll, beforeAll, expect, test } from "vitest";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { sweepSignIns } from "./sweep";

let world: TestWorld;
beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

test("removes what has ended of sign-ins, and nothing that lasts", async () => {
  const { sql } = world.database;
  const { actor } = await asMember(await createTestOrganization(world.services), "owner");
  for (const [name, at] of [
    ["ended", "-1 second"],
    ["lasts", "1 hour"],
  ] as const) {
    await sql`insert into sessions (id, user_id, token, expires_at)
      values (gen_random_uuid(), ${actor.userId}, ${name}, now() + ${at}::interval)`;
    await sql`insert into verifications (id, identifier, value, expires_at)
      values (gen_random_uuid(), ${name}, '', now() + ${at}::interval)`;
    await sql`insert into sign_in_attempts (subject, count, window_ends_at)
      values (${name}, 1, now() + ${at}::interval)`;
    await sql`insert into sign_in_places (user_id, place, last_used_at)
      values (${actor.userId}, ${name}, now() + ${at}::interval - interval '400 days')`;
  }
  await sweepSignIns(world.services);
  const left = await sql`
    select token as name from sessions union all select identifier from verifications
    union all select subject from sign_in_attempts union all select place from sign_in_places`;
  expect(left.map(({ name }) => name)).toEqual(["lasts", "lasts", "lasts", "lasts"]);
});
