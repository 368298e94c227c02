import { afterAll, beforeAll, expect, test } from "vitest";
import type { MemberActor } from "@/server/core/actor";
import { actsOn } from "@/server/domain/audit/testing";
import type { Context } from "@/server/core/context";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { acceptInvitation } from "./accept";
import { memberOf } from "./find";
import { inviteMember } from "./invite";
import { removeMember } from "./remove";
import { setRights } from "./set-rights";
import {
  account,
  byOwner,
  membersOf,
  newEmail,
  newOwner,
  nobody,
  organizationWith,
  signedIn,
} from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const error = (code: string) => expect.objectContaining({ code });

test("owners never all go: not one alone, and not two who remove each other at once", async () => {
  const { boss, other } = await organizationWith(world, "owner");
  const remove = (ctx: Context<MemberActor>, { actor }: Context<MemberActor>) =>
    removeMember({ ctx, input: { memberId: actor.memberId } });
  const results = await Promise.allSettled([remove(boss, other), remove(other, boss)]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await membersOf(boss)).filter(({ role }) => role === "owner")).toHaveLength(1);
  const [left] = await membersOf(boss);
  const memberId = left?.id ?? "";
  await expect(removeMember({ ctx: boss, input: { memberId } })).rejects.toEqual(error("last_owner"));
  const demoting = setRights({ ctx: boss, input: { memberId, role: "admin", permissions: [] } });
  await expect(demoting).rejects.toEqual(error("last_owner"));
});

test("a member who is removed is none with the next request, and is the same one when invited again", async () => {
  const ctx = await newOwner(world);
  const email = newEmail();
  const invite = async () => (await inviteMember({ ctx, input: { email, role: "agent" } })).token;
  await acceptInvitation({ ctx: nobody(world), input: { token: await invite(), account } });
  const as = await signedIn(world, email);
  const find = () => (as.person ? memberOf(world.services, as.person, ctx.actor.organizationId) : null);
  const before = await find();
  await removeMember({ ctx, input: { memberId: before?.memberId ?? "" } });
  expect(await find()).toBeNull();
  await acceptInvitation({ ctx: as, input: { token: await invite() } });
  expect(await find()).toEqual(before);
});

test("who removed a member is in the audit log, from where, and what the member might do", async () => {
  const { boss, other } = await organizationWith(world, "agent");
  const { memberId } = other.actor;
  const permissions = ["audit.read"];
  await setRights({ ctx: boss, input: { memberId, role: "agent", permissions } });
  await removeMember({ ctx: boss, input: { memberId } });
  expect((await actsOn(world, memberId)).at(-1)).toEqual({
    action: "member.removed",
    ...byOwner(boss),
    subjectKind: "member",
    detail: { role: "agent", permissions },
  });
});
