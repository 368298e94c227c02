import { afterAll, beforeAll, expect, test } from "vitest";
import { actsOn } from "@/server/domain/audit/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { inviteMember } from "./invite";
import { byOwner, invitationsOf, newEmail, newOwner, organizationWith } from "./testing";
import { withdrawInvitation } from "./withdraw-invitation";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const error = (code: string) => expect.objectContaining({ code });

test("an invitation isn't seen or withdrawn by another organization", async () => {
  const [ctx, other] = [await newOwner(world), await newOwner(world)];
  const { id } = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
  for (const invitationId of [id, "unknown"]) {
    const withdrawing = withdrawInvitation({ ctx: other, input: { invitationId } });
    await expect(withdrawing).rejects.toEqual(error("link_invalid"));
  }
  expect(await invitationsOf(other)).toEqual([]);
  expect(await invitationsOf(ctx)).toMatchObject([{ id }]);
});

test("who withdrew an invitation is in the audit log, from where, and whose it was", async () => {
  const ctx = await newOwner(world);
  const email = newEmail();
  const { id } = await inviteMember({ ctx, input: { email, role: "agent" } });
  await withdrawInvitation({ ctx, input: { invitationId: id } });
  expect((await actsOn(world, id)).at(-1)).toEqual({
    action: "member.invitation_withdrawn",
    ...byOwner(ctx),
    subjectKind: "invitation",
    detail: { email },
  });
});

test("an admin withdraws every invitation but an owner's, which stays open", async () => {
  const { boss, other: admin } = await organizationWith(world, "admin");
  const invite = (role: "owner" | "agent") => inviteMember({ ctx: boss, input: { email: newEmail(), role } });
  const [owner, agent] = [await invite("owner"), await invite("agent")];
  const withdraw = (ctx: typeof boss, { id }: { id: string }) =>
    withdrawInvitation({ ctx, input: { invitationId: id } });
  await expect(withdraw(admin, owner)).rejects.toEqual(error("permission_denied"));
  await withdraw(admin, agent);
  expect(await invitationsOf(boss)).toMatchObject([{ id: owner.id, role: "owner" }]);
  await withdraw(boss, owner);
  expect(await invitationsOf(boss)).toEqual([]);
});
