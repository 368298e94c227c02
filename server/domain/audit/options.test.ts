import { afterAll, beforeAll, expect, test } from "vitest";
import { errorOf } from "@/server/domain/keys/testing";
import { removeMember } from "@/server/domain/members/remove";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { AUDIT_ACTIONS } from "@/server/core/audit/actions";
import { auditOptions } from "./options";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

test("every action with its words, every kind of subject, and the organization’s members, former ones too", async () => {
  const ctx = await createTestOrganization(world.services);
  const owner = await asMember(ctx, "owner");
  const former = await asMember(ctx, "agent");
  await asMember(await createTestOrganization(world.services), "owner");
  await removeMember({ ctx: owner, input: { memberId: former.actor.memberId } });
  const { actions, subjects, members } = await auditOptions({ ctx: owner });
  expect(Object.fromEntries(actions.map(({ name, words }) => [name, words]))).toEqual(AUDIT_ACTIONS);
  expect(subjects).toContain("contact");
  expect(members.map(({ id, name }) => [id, name])).toEqual([
    [former.actor.memberId, "agent"],
    [owner.actor.memberId, "owner"],
  ]);
  const agent = await asMember(ctx, "agent");
  expect((await errorOf(auditOptions({ ctx: agent })))?.code).toBe("permission_denied");
});
