import { afterAll, beforeAll, expect, test } from "vitest";
import { actsOn } from "@/server/domain/audit/testing";
import { WaypostError } from "@/server/platform/errors";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { acceptInvitation } from "./accept";
import { inviteMember } from "./invite";
import { openInvitation } from "./open-invitation";
import {
  account,
  byOwner,
  invitationsOf,
  membersOf,
  newEmail,
  newOwner,
  nobody,
  organizationWith,
} from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const error = (code: string) => expect.objectContaining({ code });

test("of twenty links made at once for one address, and taken up meanwhile, one is open at the end", async () => {
  const ctx = await newOwner(world);
  const email = newEmail();
  const invite = () => inviteMember({ ctx, input: { email, role: "agent" } });
  const first = await invite();
  const made = await Promise.all(Array.from({ length: 20 }, invite));
  const isOpen = ({ token }: { token: string }) =>
    openInvitation({ ctx: nobody(world), input: { token } }).then(
      () => true,
      () => false,
    );
  const open = await Promise.all([first, ...made].map(isOpen));
  expect(open.filter((is) => is)).toEqual([true]);
  const last = made.find((_, index) => open[index + 1]);
  const settled = await Promise.allSettled([
    acceptInvitation({ ctx: nobody(world), input: { token: last?.token ?? "", account } }),
    ...Array.from({ length: 5 }, invite),
  ]);
  // Whichever came first, no deadlock occurs.
  const faults = settled
    .filter(({ status }) => status === "rejected")
    .map((one) => "reason" in one && one.reason);
  expect(faults.filter((fault) => !(fault instanceof WaypostError))).toEqual([]);
});

test("an invitation of an address replaces the one before, and is nowhere as it is", async () => {
  const ctx = await newOwner(world);
  const email = newEmail();
  const first = await inviteMember({ ctx, input: { email, role: "agent" } });
  const second = await inviteMember({ ctx, input: { email, role: "admin" } });
  const opening = openInvitation({ ctx: nobody(world), input: { token: first.token } });
  await expect(opening).rejects.toEqual(error("link_invalid"));
  expect(await invitationsOf(ctx)).toMatchObject([{ email, role: "admin", isExpired: false }]);
  const [row] = await world.database.sql<{ text: string }[]>`
    select (select string_agg(i::text, '') from invitations i) || (select string_agg(a::text, '') from audit_log a) as text`;
  expect(row?.text).not.toContain(second.token);
});

test("nobody who is a member is invited", async () => {
  const ctx = await newOwner(world);
  const [self] = await membersOf(ctx);
  const inviting = inviteMember({ ctx, input: { email: self?.email ?? "", role: "agent" } });
  await expect(inviting).rejects.toMatchObject({ code: "validation_failed", field: "email" });
});

test("who invited somebody is in the audit log, from where, and to what", async () => {
  const ctx = await newOwner(world);
  const invited = { email: newEmail(), role: "agent", permissions: ["audit.read"] } as const;
  const { id } = await inviteMember({ ctx, input: { ...invited, permissions: [...invited.permissions] } });
  expect(await actsOn(world, id)).toEqual([
    { action: "member.invited", ...byOwner(ctx), subjectKind: "invitation", detail: invited },
  ]);
});

test("an admin doesn't end the open invitation of an owner by inviting the address again; one that has ended is replaced", async () => {
  const { boss, other: admin } = await organizationWith(world, "admin");
  const email = newEmail();
  const { id, token } = await inviteMember({ ctx: boss, input: { email, role: "owner" } });
  for (const role of ["admin", "agent"] as const) {
    const inviting = inviteMember({ ctx: admin, input: { email: email.toUpperCase(), role } });
    await expect(inviting).rejects.toMatchObject({
      code: "permission_denied",
      message: expect.stringContaining("open invitation as an owner"),
    });
  }
  expect(await openInvitation({ ctx: nobody(world), input: { token } })).toMatchObject({ role: "owner" });
  expect((await actsOn(world, id)).map(({ action }) => action)).toEqual(["member.invited"]);
  await world.database.sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`;
  await inviteMember({ ctx: admin, input: { email, role: "agent" } });
  expect(await invitationsOf(boss)).toMatchObject([{ email, role: "agent" }]);
});
