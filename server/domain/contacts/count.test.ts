import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asKey, codeOf, newHandle } from "@/server/domain/messages/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { rowsReadBy } from "@/server/testing";
import { ensureContact } from "./ensure";
import { countContacts } from "./search";

let world: TestWorld;
let ctx: Context<SystemActor>;
let agent: Context<MemberActor>;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  agent = await asMember(ctx, "agent");
});
afterAll(() => world.close());

const count = (q?: string, as: Context = agent) =>
  countContacts({ ctx: as, input: q === undefined ? {} : { q } });

const addMany = (contacts: number) => world.database.sql`
  insert into contacts (id, organization_id, name)
  select gen_random_uuid(), ${ctx.actor.organizationId}, 'Maria Customer' || i from generate_series(1, ${contacts}::int) i`;

test("the total is that of the list, and of a search", async () => {
  await addMany(12);
  const other = await createTestOrganization(world.services);
  for (const of of [ctx, other]) {
    await ensureContact({ ctx: of, input: { handle: newHandle(), name: "Zora" } });
  }
  expect(await count()).toEqual({ count: 13, isMore: false });
  expect(await count(" zora ")).toEqual({ count: 1, isMore: false });
  expect(await count("nobody")).toEqual({ count: 0, isMore: false });
  expect(await codeOf(count(undefined, await asKey(ctx)))).toBe("permission_denied");
});

test("it ends at a maximum, and a search that was cut may have more", async () => {
  await addMany(3_000);
  expect(await count()).toEqual({ count: 1_000, isMore: true });
  expect(await count("maria")).toMatchObject({ isMore: true });
  await world.database.sql`vacuum (analyze) contacts`;
  const read = await rowsReadBy(ctx.services.sql, "contacts", (sql) =>
    count(undefined, { ...agent, services: { ...agent.services, sql } }),
  );
  expect(read).toBeLessThan(1_500);
});
