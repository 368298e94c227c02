import type { MemberActor, Role, SystemActor } from "@/server/core/actor";
import { personOf } from "@/server/domain/auth/session";
import { createTestBrowser } from "@/server/domain/auth/testing";
import type { Context, OpenContext } from "@/server/core/context";
import { asMember, createTestOrganization, type TestWorld } from "@/server/domain/organizations/testing";
import { listMembers, listMembersInput } from "./list";
import { listInvitations, listInvitationsInput } from "./list-invitations";

const PASSWORD = "correct horse battery";
let number = 0;

/** An address that nobody has. */
export const newEmail = () => `new-${++number}@example.com`;

/** What somebody makes who has none. */
export const account = { name: "Grace", password: PASSWORD };

/** Whoever isn't signed in. */
export const nobody = ({ services }: TestWorld): OpenContext => ({
  services,
  requestId: null,
  person: null,
  address: "192.0.2.9",
});

/** Somebody signed in by that address, where it has `account`. */
export async function signedIn(world: TestWorld, email: string): Promise<OpenContext> {
  const browser = createTestBrowser(world.services);
  await browser.ask("/sign-in/email", { email, password: PASSWORD });
  return { ...nobody(world), person: await personOf(world.services, browser.headers(), null) };
}

/** Where an owner's requests come from. */
const ADDRESS = "192.0.2.8";

async function asOwner(system: Context<SystemActor>): Promise<Context<MemberActor>> {
  const ctx = await asMember(system, "owner");
  return { ...ctx, actor: { ...ctx.actor, address: ADDRESS } };
}

/** Of an organization of their own. */
export async function newOwner({ services }: TestWorld): Promise<Context<MemberActor>> {
  return asOwner(await createTestOrganization(services));
}

/** An owner, and a member of that role beside them. */
export async function organizationWith({ services }: TestWorld, role: Role) {
  const system = await createTestOrganization(services);
  return { boss: await asOwner(system), other: await asMember(system, role) };
}

/** How the audit log tells of what an owner did. */
export const byOwner = ({ actor }: Context<MemberActor>) => ({
  actorKind: "member",
  actorId: actor.memberId,
  address: ADDRESS,
});

export const membersOf = async (ctx: Context) =>
  (await listMembers({ ctx, input: listMembersInput.parse({}) })).data;

export const invitationsOf = async (ctx: Context) =>
  (await listInvitations({ ctx, input: listInvitationsInput.parse({}) })).data;
