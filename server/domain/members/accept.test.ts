import { afterAll, beforeAll, expect, test } from "vitest";
import { actsOn } from "@/server/domain/audit/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { acceptInvitation } from "./accept";
import { memberOf } from "./find";
import { inviteMember } from "./invite";
import { openInvitation } from "./open-invitation";
import { account, invitationsOf, newEmail, newOwner, nobody, signedIn } from "./testing";
import { withdrawInvitation } from "./withdraw-invitation";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

const error = (code: string) => expect.objectContaining({ code });

test("an invitation makes whoever has no account one, and a member with the rights that it names", async () => {
  const ctx = await newOwner(world);
  const email = newEmail();
  const permissions = ["integrations.manage_api"];
  const { token } = await inviteMember({
    ctx,
    input: { email: email.toUpperCase(), role: "agent", permissions },
  });
  expect(await openInvitation({ ctx: nobody(world), input: { token } })).toEqual({
    organizationName: "Test",
    email,
    role: "agent",
    hasAccount: false,
    isSignedIn: false,
  });
  const { organizationId } = await acceptInvitation({ ctx: nobody(world), input: { token, account } });
  const { person } = await signedIn(world, email);
  expect(person && (await memberOf(world.services, person, organizationId))).toMatchObject({
    role: "agent",
    permissions,
  });
  expect(await invitationsOf(ctx)).toEqual([]);
});

test("an invitation is taken up by who has an account only once they are signed in by it", async () => {
  const ctx = await newOwner(world);
  const email = newEmail();
  const first = await inviteMember({ ctx: await newOwner(world), input: { email, role: "admin" } });
  await acceptInvitation({ ctx: nobody(world), input: { token: first.token, account } });
  const { token } = await inviteMember({ ctx, input: { email, role: "agent" } });
  for (const [as, given] of [
    [nobody(world), undefined],
    [nobody(world), account],
    [await signedIn(world, newEmail()), undefined],
  ] as const) {
    const accepting = acceptInvitation({ ctx: as, input: { token, account: given } });
    await expect(accepting).rejects.toEqual(error("not_signed_in"));
  }
  const as = await signedIn(world, email);
  expect(await openInvitation({ ctx: as, input: { token } })).toMatchObject({ isSignedIn: true });
  const { organizationId } = await acceptInvitation({ ctx: as, input: { token } });
  expect(organizationId).toBe(ctx.actor.organizationId);
});

test("an invitation isn’t taken up with a password that says its address", async () => {
  const email = newEmail();
  const { token } = await inviteMember({ ctx: await newOwner(world), input: { email, role: "agent" } });
  const password = `I am ${email.split("@")[0]} of old`;
  const accepting = acceptInvitation({
    ctx: nobody(world),
    input: { token, account: { ...account, password } },
  });
  await expect(accepting).rejects.toMatchObject({ code: "validation_failed", field: "account.password" });
  await acceptInvitation({ ctx: nobody(world), input: { token, account } });
});

test("an invitation works once, however many follow it at the same time", async () => {
  const { token } = await inviteMember({
    ctx: await newOwner(world),
    input: { email: newEmail(), role: "agent" },
  });
  const accepting = Array.from({ length: 5 }, () =>
    acceptInvitation({ ctx: nobody(world), input: { token, account } }),
  );
  const results = await Promise.allSettled(accepting);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("an invitation that is unknown, withdrawn or expired opens nothing", async () => {
  const ctx = await newOwner(world);
  const withdrawn = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
  await withdrawInvitation({ ctx, input: { invitationId: withdrawn.id } });
  const expired = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
  await world.database.sql`update invitations set expires_at = now() where id = ${expired.id}`;
  for (const token of [withdrawn.token, expired.token, "unknown"]) {
    await expect(openInvitation({ ctx: nobody(world), input: { token } })).rejects.toEqual(
      error("link_invalid"),
    );
    const accepting = acceptInvitation({ ctx: nobody(world), input: { token, account } });
    await expect(accepting).rejects.toEqual(error("link_invalid"));
  }
});

test("who took an invitation up is in the audit log, from where, and with which rights", async () => {
  const email = newEmail();
  const permissions = ["audit.read"];
  const { token } = await inviteMember({
    ctx: await newOwner(world),
    input: { email, role: "agent", permissions },
  });
  const { organizationId } = await acceptInvitation({ ctx: nobody(world), input: { token, account } });
  const { person } = await signedIn(world, email);
  const member = person && (await memberOf(world.services, person, organizationId));
  const memberId = member?.memberId ?? "";
  const [joined] = await actsOn(world, memberId);
  expect(joined).toEqual({
    action: "member.joined",
    actorKind: "member",
    actorId: memberId,
    address: nobody(world).address,
    subjectKind: "member",
    detail: { email, role: "agent", permissions },
  });
});
