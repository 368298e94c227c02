import { afterAll, beforeAll, expect, test } from "vitest";
import { members, newId } from "@/db/schema";
import { newTestPerson } from "@/server/domain/auth/testing";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { renamePerson } from "./rename";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

test("a new name is in the audit log of each of the person's organizations, with the old; the same name in none", async () => {
  const { services } = world;
  const { ctx, signIn, who } = await newTestPerson(world);
  const elsewhere = await createTestOrganization(services);
  await signIn();
  const person = await who();
  if (!person) throw new Error("Nobody is signed in");
  const { organizationId } = elsewhere.actor;
  await services.orm
    .insert(members)
    .values({ id: newId(), organizationId, userId: person.userId, role: "agent" });
  const rename = (name: string) =>
    renamePerson({
      ctx: { services, person: { ...person, address: "192.0.2.7" }, requestId: null },
      input: { name },
    });
  expect(await rename("Ada King")).toEqual({ name: "Ada King" });
  expect(await rename("Ada King")).toEqual({ name: "Ada King" });
  expect(await who()).toMatchObject({ name: "Ada King" });
  const rows = await world.database.sql`
    select a.organization_id as "organizationId", a.detail, a.address
    from audit_log a join members m on m.id::text = a.subject_id::text
    where a.action = 'member.renamed' and m.user_id::text = ${person.userId} and a.actor_id = m.id::text order by a.id`;
  const detail = { from: "Ada", to: "Ada King" };
  const expected = [ctx, elsewhere].map(({ actor: { organizationId } }) => ({
    organizationId,
    detail,
    address: "192.0.2.7",
  }));
  expect(rows).toHaveLength(2);
  expect([...rows]).toEqual(expect.arrayContaining(expected));
});
