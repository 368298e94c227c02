import { afterAll, beforeAll, expect, test } from "vitest";
import { actsOn } from "@/server/domain/audit/testing";
import { byOwner, newOwner } from "@/server/domain/members/testing";
import { codeOf } from "@/server/domain/messages/testing";
import { renameOrganization } from "./rename";
import { asMember, createTestOrganization, openTestWorld, type TestWorld } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

test("who renamed the organization is in the audit log, from where, and its name before; nothing for what it was", async () => {
  const ctx = await newOwner(world);
  for (const name of ["Bakery", "Bakery", "Bakery & Sons"])
    await renameOrganization({ ctx, input: { name } });
  const renamed = (await actsOn(world, ctx.actor.organizationId)).slice(1);
  const act = { action: "organization.renamed", ...byOwner(ctx), subjectKind: "organization" };
  expect(renamed).toEqual([
    { ...act, detail: { from: "Test", to: "Bakery" } },
    { ...act, detail: { from: "Bakery", to: "Bakery & Sons" } },
  ]);
});

test("an agent can't rename it", async () => {
  const ctx = await asMember(await createTestOrganization(world.services), "agent");
  expect(await codeOf(renameOrganization({ ctx, input: { name: "Bakery" } }))).toBe("permission_denied");
});
