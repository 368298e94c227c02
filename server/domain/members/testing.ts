import type { MemberActor, Role, SystemActor } from "@/server/core/actor";
import { personOf } from "@/server/domain/auth/session";
import { createTestBrowser } from "@/server/domain/auth/testing";
import type { Context, OpenContext } from "@/server/core/context";
import { asMember, createTestOrganization, type TestWorld } from "@/server/domain/organizations/testing";
import { listMembers, listMembersInput } from "./list";
import { listInvitations, listInvitationsInput } from "./list-invitations";

const PASSWORD = "correct horse battery";
let number = 0;

/** Returns an unused address. */
export const newEmail = () => `new-${++number}@example.com`;

/** A new account's data. */
export const account = { name: "Grace", password: PASSWORD };

/** The context of somebody who isn't signed in. */
export const nobody = ({ services }: TestWorld): OpenContext => ({
  services,
  requestId: null,
  person: null,
  address: "192.0.2.9",
});

/** The context of somebody signed in with that address, if it has `account`. */
export async function signedIn(world: TestWorld, email: string): Promise<OpenContext> {
  const browser = createTestBrowser(world.services);
  await browser.ask("/sign-in/email", { email, password: PASSWORD });
  return { ...nobody(world), person: await personOf(world.services, browser.headers(), null) };
}

/** Source address of an owner's requests. */
const ADDRESS = "192.0.2.8";

async function asOwner(system: Context<SystemActor>): Promise<Context<MemberActor>> {
  const ctx = await asMember(system, "owner");
  return { ...ctx, actor: { ...ctx.actor, address: ADDRESS } };
}

/** Creates the owner of a new organization. */
export async function newOwner({ services }: TestWorld): Promise<Context<MemberActor>> {
  return asOwner(await createTestOrganization(services));
}

/** Creates an organization with an owner and a member of that role. */
export async function organizationWith({ services }: TestWorld, role: Role) {
  const system = await createTestOrganization(services);
  return { boss: await asOwner(system), other: await asMember(system, role) };
}

/** The audit log's data about an owner as the actor. */
export const byOwner = ({ actor }: Context<MemberActor>) => ({
  actorKind: "member",
  actorId: actor.memberId,
  address: ADDRESS,
});

export const membersOf = async (ctx: Context) =>
  (await listMembers({ ctx, input: listMembersInput.parse({}) })).data;

export const invitationsOf = async (ctx: Context) =>
  (await listInvitations({ ctx, input: listInvitationsInput.parse({}) })).data;
