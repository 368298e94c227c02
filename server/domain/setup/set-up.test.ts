import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenContext } from "@/server/core/context";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { needsFirstOwner, setupToken } from "./first-owner";
import { openSetup } from "./open";
import { setUp } from "./set-up";

let world: TestWorld;
let ctx: OpenContext;
beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  ctx = { services: world.services, requestId: null, person: null, address: "192.0.2.1" };
});
afterAll(() => world.close());

const input = (email: string) => ({
  token: setupToken(world.services),
  organizationName: "Shop",
  name: "Ada",
  email,
  password: "correct horse battery",
});

test("a new installation gets one owner by its link, however many follow it at once, and then the link is dead", async () => {
  const { token } = input("");
  await expect(openSetup({ ctx, input: { token: `${token.slice(1)}x` } })).rejects.toMatchObject({
    code: "link_invalid",
  });
  await expect(setUp({ ctx, input: { ...input("a@example.com"), token: "x" } })).rejects.toMatchObject({
    code: "link_invalid",
  });
  await openSetup({ ctx, input: { token } });
  expect(await needsFirstOwner(world.services)).toBe(true);

  const all = await Promise.allSettled(
    [1, 2, 3, 4].map((n) => setUp({ ctx, input: input(`a${n}@example.com`) })),
  );
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const found = await world.database.sql`
    select o.name, m.role, a.address from organizations o join members m on m.organization_id = o.id
    join audit_log a on a.organization_id = o.id and a.action = 'member.created'`;
  expect(found).toEqual([{ name: "Shop", role: "owner", address: "192.0.2.1" }]);
  expect(await world.database.sql`select 1 from users`).toHaveLength(1);

  expect(await needsFirstOwner(world.services)).toBe(false);
  await expect(openSetup({ ctx, input: { token } })).rejects.toMatchObject({ code: "link_invalid" });
});
