import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "@/server/core/actor";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { acceptInvitation } from "./accept";
import { inviteMember } from "./invite";
import { openInvitation } from "./open-invitation";
import { removeMember } from "./remove";
import { setRights } from "./set-rights";
import { account, invitationsOf, newEmail, nobody, organizationWith } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const error = (code: string) => expect.objectContaining({ code });

describe("an invitation whose maker", () => {
  const invitedBy = async (role: Role, invitee: Role = "agent") => {
    const { boss, other: maker } = await organizationWith(world, role);
    const { token } = await inviteMember({ ctx: maker, input: { email: newEmail(), role: invitee } });
    const { memberId } = maker.actor;
    const open = () => openInvitation({ ctx: nobody(world), input: { token } });
    const accept = () => acceptInvitation({ ctx: nobody(world), input: { token, account } });
    const ended = () => world.database.sql`
      select 1 from audit_log where organization_id = ${boss.actor.organizationId}
        and action = 'member.invitation_ended' and actor_id = ${boss.actor.memberId}`;
    return { boss, memberId, open, accept, ended };
  };

  test("is removed ends, and says so", async () => {
    const { boss, memberId, open, accept, ended } = await invitedBy("admin");
    await removeMember({ ctx: boss, input: { memberId } });
    await expect(open()).rejects.toEqual(error("inviter_gone"));
    await expect(accept()).rejects.toEqual(error("inviter_gone"));
    expect(await invitationsOf(boss)).toEqual([]);
    expect(await ended()).toHaveLength(1);
  });

  test("may no longer invite ends, or may no longer invite to that role", async () => {
    const agent = await invitedBy("admin");
    await setRights({ ctx: agent.boss, input: { memberId: agent.memberId, role: "agent", permissions: [] } });
    await expect(agent.open()).rejects.toEqual(error("inviter_gone"));
    const owner = await invitedBy("owner", "owner");
    await setRights({ ctx: owner.boss, input: { memberId: owner.memberId, role: "admin", permissions: [] } });
    await expect(owner.open()).rejects.toEqual(error("inviter_gone"));
    expect([...(await agent.ended()), ...(await owner.ended())]).toHaveLength(2);
  });

  test("may still invite to that role stays, whatever else they lost", async () => {
    const { boss, memberId, open, accept, ended } = await invitedBy("owner");
    await setRights({ ctx: boss, input: { memberId, role: "admin", permissions: [] } });
    await open();
    await accept();
    expect(await ended()).toEqual([]);
  });

  test("is removed at that very moment can’t be taken up", async () => {
    const { memberId, accept } = await invitedBy("admin");
    await world.database.sql`update members set removed_at = now() where id = ${memberId}`;
    await expect(accept()).rejects.toEqual(error("inviter_gone"));
  });
});
