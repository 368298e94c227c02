import type { MemberActor, Role } from "../api/actor";
import { personOf } from "../auth/session";
import { createTestBrowser } from "../auth/testing";
import type { Context, OpenContext } from "../context";
import { asMember, createTestOrganization, type TestWorld } from "../organizations/testing";
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

/** Of an organization of their own. */
export async function newOwner({ services }: TestWorld): Promise<Context<MemberActor>> {
  return asMember(await createTestOrganization(services), "owner");
}

/** An owner, and a member of that role beside them. */
export async function organizationWith({ services }: TestWorld, role: Role) {
  const system = await createTestOrganization(services);
  return { boss: await asMember(system, "owner"), other: await asMember(system, role) };
}

export const membersOf = async (ctx: Context) =>
  (await listMembers({ ctx, input: listMembersInput.parse({}) })).data;

export const invitationsOf = async (ctx: Context) =>
  (await listInvitations({ ctx, input: listInvitationsInput.parse({}) })).data;
