import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemberActor, Role } from "../api/actor";
import { createTestBrowser } from "../auth/testing";
import { personOf } from "../auth/session";
import type { Context, OpenContext } from "../context";
import { WaypostError } from "../errors";
import { asMember, createTestOrganization, openTestWorld, type TestWorld } from "../organizations/testing";
import { acceptInvitation, openInvitation } from "./accept";
import { removeMember, setRights } from "./change";
import { memberOf } from "./find";
import { listInvitations, withdrawInvitation } from "./invitations";
import { inviteMember } from "./invite";
import { listMembers, listMembersInput } from "./list";

const PASSWORD = "correct horse battery";
let world: TestWorld;
let number = 0;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const newEmail = () => `new-${++number}@example.com`;
const nobody = (): OpenContext => ({
  services: world.services,
  requestId: null,
  person: null,
  address: "192.0.2.9",
});
const account = { name: "Grace", password: PASSWORD };
const refusal = (code: string) => expect.objectContaining({ code });
const membersOf = async (ctx: Context) =>
  (await listMembers({ ctx, input: listMembersInput.parse({}) })).data;

async function owner(): Promise<Context<MemberActor>> {
  return asMember(await createTestOrganization(world.services), "owner");
}

/** Somebody signed in by that address. */
async function signedIn(email: string): Promise<OpenContext> {
  const browser = createTestBrowser(world.services);
  await browser.ask("/sign-in/email", { email, password: PASSWORD });
  return { ...nobody(), person: await personOf(world.services, browser.headers(), null) };
}

describe("an invitation", () => {
  test("makes whoever has no account one, and a member with the rights that it names", async () => {
    const ctx = await owner();
    const email = newEmail();
    const permissions = ["integrations.manage_api"];
    const { token } = await inviteMember({
      ctx,
      input: { email: email.toUpperCase(), role: "agent", permissions },
    });
    expect(await openInvitation({ ctx: nobody(), input: { token } })).toEqual({
      organizationName: "Test",
      email,
      role: "agent",
      hasAccount: false,
      isSignedIn: false,
    });
    const { organizationId } = await acceptInvitation({ ctx: nobody(), input: { token, account } });
    const { person } = await signedIn(email);
    expect(person && (await memberOf(world.services, person, organizationId))).toMatchObject({
      role: "agent",
      permissions,
    });
    expect(await listInvitations({ ctx })).toEqual([]);
  });

  test("is taken up by who has an account only once they are signed in by it", async () => {
    const ctx = await owner();
    const email = newEmail();
    const first = await inviteMember({ ctx: await owner(), input: { email, role: "admin" } });
    await acceptInvitation({ ctx: nobody(), input: { token: first.token, account } });
    const { token } = await inviteMember({ ctx, input: { email, role: "agent" } });
    for (const [as, given] of [
      [nobody(), undefined],
      [nobody(), account],
      [await signedIn(newEmail()), undefined],
    ] as const) {
      const accepting = acceptInvitation({ ctx: as, input: { token, account: given } });
      await expect(accepting).rejects.toEqual(refusal("not_signed_in"));
    }
    const as = await signedIn(email);
    expect(await openInvitation({ ctx: as, input: { token } })).toMatchObject({ isSignedIn: true });
    const { organizationId } = await acceptInvitation({ ctx: as, input: { token } });
    expect(organizationId).toBe(ctx.actor.organizationId);
  });

  test("works once, however many follow it at the same time", async () => {
    const { token } = await inviteMember({ ctx: await owner(), input: { email: newEmail(), role: "agent" } });
    const accepting = Array.from({ length: 5 }, () =>
      acceptInvitation({ ctx: nobody(), input: { token, account } }),
    );
    const results = await Promise.allSettled(accepting);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("of twenty links made at once for one address, and taken up meanwhile, one is open at the end", async () => {
    const ctx = await owner();
    const email = newEmail();
    const invite = () => inviteMember({ ctx, input: { email, role: "agent" } });
    const first = await invite();
    const made = await Promise.all(Array.from({ length: 20 }, invite));
    const isOpen = ({ token }: { token: string }) =>
      openInvitation({ ctx: nobody(), input: { token } }).then(
        () => true,
        () => false,
      );
    const open = await Promise.all([first, ...made].map(isOpen));
    expect(open.filter((is) => is)).toEqual([true]);
    const last = made.find((_, index) => open[index + 1]);
    const settled = await Promise.allSettled([
      acceptInvitation({ ctx: nobody(), input: { token: last?.token ?? "", account } }),
      ...Array.from({ length: 5 }, invite),
    ]);
    // Whichever came first, nobody waits for another who waits for them.
    const faults = settled
      .filter(({ status }) => status === "rejected")
      .map((one) => "reason" in one && one.reason);
    expect(faults.filter((fault) => !(fault instanceof WaypostError))).toEqual([]);
  });

  test("of an address replaces the one before, and is nowhere as it is", async () => {
    const ctx = await owner();
    const email = newEmail();
    const first = await inviteMember({ ctx, input: { email, role: "agent" } });
    const second = await inviteMember({ ctx, input: { email, role: "admin" } });
    const opening = openInvitation({ ctx: nobody(), input: { token: first.token } });
    await expect(opening).rejects.toEqual(refusal("link_invalid"));
    expect(await listInvitations({ ctx })).toMatchObject([{ email, role: "admin", isExpired: false }]);
    const [row] = await world.database.sql<{ text: string }[]>`
      select (select string_agg(i::text, '') from invitations i) || (select string_agg(a::text, '') from audit_log a) as text`;
    expect(row?.text).not.toContain(second.token);
  });

  test("that is unknown, withdrawn or expired opens nothing", async () => {
    const ctx = await owner();
    const withdrawn = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
    await withdrawInvitation({ ctx, input: { invitationId: withdrawn.id } });
    const expired = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
    await world.database.sql`update invitations set expires_at = now() where id = ${expired.id}`;
    for (const token of [withdrawn.token, expired.token, "unknown"]) {
      await expect(openInvitation({ ctx: nobody(), input: { token } })).rejects.toEqual(
        refusal("link_invalid"),
      );
      const accepting = acceptInvitation({ ctx: nobody(), input: { token, account } });
      await expect(accepting).rejects.toEqual(refusal("link_invalid"));
    }
  });

  test("isn't seen or withdrawn by another organization, and none is made for a member", async () => {
    const [ctx, other] = [await owner(), await owner()];
    const { id } = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
    for (const invitationId of [id, "unknown"]) {
      const withdrawing = withdrawInvitation({ ctx: other, input: { invitationId } });
      await expect(withdrawing).rejects.toEqual(refusal("link_invalid"));
    }
    expect(await listInvitations({ ctx: other })).toEqual([]);
    expect(await listInvitations({ ctx })).toMatchObject([{ id }]);
    const [self] = await membersOf(ctx);
    const inviting = inviteMember({ ctx, input: { email: self?.email ?? "", role: "agent" } });
    await expect(inviting).rejects.toMatchObject({ code: "validation_failed", field: "email" });
  });
});

describe("owners", () => {
  const organizationWith = async (role: Role) => {
    const system = await createTestOrganization(world.services);
    return { boss: await asMember(system, "owner"), other: await asMember(system, role) };
  };

  test("are made, changed and removed by owners only", async () => {
    const { boss, other: admin } = await organizationWith("admin");
    const { memberId } = boss.actor;
    await expect(inviteMember({ ctx: admin, input: { email: newEmail(), role: "owner" } })).rejects.toEqual(
      refusal("permission_denied"),
    );
    for (const act of [
      () =>
        setRights({ ctx: admin, input: { memberId: admin.actor.memberId, role: "owner", permissions: [] } }),
      () => setRights({ ctx: admin, input: { memberId, role: "agent", permissions: [] } }),
      () => removeMember({ ctx: admin, input: { memberId } }),
    ]) {
      await expect(act()).rejects.toEqual(refusal("permission_denied"));
    }
  });

  test("never all go: not one alone, and not two who remove each other at once", async () => {
    const { boss, other } = await organizationWith("owner");
    const remove = (ctx: Context<MemberActor>, { actor }: Context<MemberActor>) =>
      removeMember({ ctx, input: { memberId: actor.memberId } });
    const results = await Promise.allSettled([remove(boss, other), remove(other, boss)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await membersOf(boss)).filter(({ role }) => role === "owner")).toHaveLength(1);
    const [left] = await membersOf(boss);
    const memberId = left?.id ?? "";
    await expect(removeMember({ ctx: boss, input: { memberId } })).rejects.toEqual(refusal("last_owner"));
    const demoting = setRights({ ctx: boss, input: { memberId, role: "admin", permissions: [] } });
    await expect(demoting).rejects.toEqual(refusal("last_owner"));
  });
});

describe("a member", () => {
  test("who is removed is none with the next request, and is the same one when invited again", async () => {
    const ctx = await owner();
    const email = newEmail();
    const invite = async () => (await inviteMember({ ctx, input: { email, role: "agent" } })).token;
    await acceptInvitation({ ctx: nobody(), input: { token: await invite(), account } });
    const as = await signedIn(email);
    const find = () => (as.person ? memberOf(world.services, as.person, ctx.actor.organizationId) : null);
    const before = await find();
    await removeMember({ ctx, input: { memberId: before?.memberId ?? "" } });
    expect(await find()).toBeNull();
    await acceptInvitation({ ctx: as, input: { token: await invite() } });
    expect(await find()).toEqual(before);
  });

  test("of another organization can't be changed or told from one that isn't", async () => {
    const ctx = await owner();
    const { actor } = await owner();
    for (const memberId of [actor.memberId, "unknown"]) {
      await expect(removeMember({ ctx, input: { memberId } })).rejects.toEqual(refusal("member_not_found"));
      const setting = setRights({ ctx, input: { memberId, role: "agent", permissions: [] } });
      await expect(setting).rejects.toEqual(refusal("member_not_found"));
    }
  });

  test("without `members.manage` sees and changes nobody", async () => {
    const system = await createTestOrganization(world.services);
    const ctx = await asMember(system, "agent", ["integrations.manage_api", "audit.read"]);
    const { memberId } = ctx.actor;
    for (const act of [
      () => membersOf(ctx),
      () => listInvitations({ ctx }),
      () => inviteMember({ ctx, input: { email: newEmail(), role: "agent" } }),
      () => setRights({ ctx, input: { memberId, role: "agent", permissions: [] } }),
      () => removeMember({ ctx, input: { memberId } }),
    ]) {
      await expect(act()).rejects.toEqual(refusal("permission_denied"));
    }
  });

  test("is given only what can be given", async () => {
    const ctx = await owner();
    const { memberId } = ctx.actor;
    const setting = setRights({ ctx, input: { memberId, role: "owner", permissions: ["members.manage"] } });
    await expect(setting).rejects.toMatchObject({ code: "validation_failed", field: "permissions.0" });
  });
});
