import { afterAll, beforeAll, expect, test } from "vitest";
import { actsOn } from "@/server/domain/audit/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { inviteMember } from "./invite";
import { removeMember } from "./remove";
import { setRights } from "./set-rights";
import { byOwner, invitationsOf, membersOf, newEmail, newOwner, organizationWith } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const error = (code: string) => expect.objectContaining({ code });

test("owners are made, changed and removed by owners only", async () => {
  const { boss, other: admin } = await organizationWith(world, "admin");
  const { memberId } = boss.actor;
  await expect(inviteMember({ ctx: admin, input: { email: newEmail(), role: "owner" } })).rejects.toEqual(
    error("permission_denied"),
  );
  for (const act of [
    () =>
      setRights({ ctx: admin, input: { memberId: admin.actor.memberId, role: "owner", permissions: [] } }),
    () => setRights({ ctx: admin, input: { memberId, role: "agent", permissions: [] } }),
    () => removeMember({ ctx: admin, input: { memberId } }),
  ]) {
    await expect(act()).rejects.toEqual(error("permission_denied"));
  }
});

test("a member of another organization can't be changed or told from one that isn't", async () => {
  const ctx = await newOwner(world);
  const { actor } = await newOwner(world);
  for (const memberId of [actor.memberId, "unknown"]) {
    await expect(removeMember({ ctx, input: { memberId } })).rejects.toEqual(error("member_not_found"));
    const setting = setRights({ ctx, input: { memberId, role: "agent", permissions: [] } });
    await expect(setting).rejects.toEqual(error("member_not_found"));
  }
});

test("a member without `members.manage` sees and changes nobody", async () => {
  const system = await createTestOrganization(world.services);
  const ctx = await asMember(system, "agent", ["integrations.manage_api", "audit.read"]);
  const { memberId } = ctx.actor;
  for (const act of [
    () => membersOf(ctx),
    () => invitationsOf(ctx),
    () => inviteMember({ ctx, input: { email: newEmail(), role: "agent" } }),
    () => setRights({ ctx, input: { memberId, role: "agent", permissions: [] } }),
    () => removeMember({ ctx, input: { memberId } }),
  ]) {
    await expect(act()).rejects.toEqual(error("permission_denied"));
  }
});

test("a member is given only what can be given", async () => {
  const ctx = await newOwner(world);
  const { memberId } = ctx.actor;
  const setting = setRights({ ctx, input: { memberId, role: "owner", permissions: ["members.manage"] } });
  await expect(setting).rejects.toMatchObject({ code: "validation_failed", field: "permissions.0" });
});

test("who changed a member's rights is in the audit log, from where, and what they were before", async () => {
  const { boss, other } = await organizationWith(world, "agent");
  const { memberId } = other.actor;
  const permissions = ["audit.read"];
  await setRights({ ctx: boss, input: { memberId, role: "agent", permissions } });
  await setRights({ ctx: boss, input: { memberId, role: "admin", permissions: [] } });
  const [, ...acts] = await actsOn(world, memberId);
  const act = { action: "member.rights_set", ...byOwner(boss), subjectKind: "member" };
  expect(acts).toEqual([
    {
      ...act,
      detail: {
        roleBefore: "agent",
        roleAfter: "agent",
        permissionsBefore: [],
        permissionsAfter: permissions,
      },
    },
    {
      ...act,
      detail: {
        roleBefore: "agent",
        roleAfter: "admin",
        permissionsBefore: permissions,
        permissionsAfter: [],
      },
    },
  ]);
});
