import { timingSafeEqual } from "node:crypto";
import { users } from "@/db/schema";
import type { Services } from "@/server/core/context";

/** The token of a new installation's setup link: the same on every process, until somebody can sign in. */
export function setupToken({ vault }: Pick<Services, "vault">): string {
  return vault.derive("setup");
}

/** Returns whether nobody can sign in yet. */
export async function needsFirstOwner({ orm }: Pick<Services, "orm">): Promise<boolean> {
  return (await orm.select({ id: users.id }).from(users).limit(1)).length === 0;
}

/** Returns whether the token is the setup link's, in constant time. */
export function isSetupToken(services: Services, token: string): boolean {
  const right = Buffer.from(setupToken(services));
  const given = Buffer.from(token);
  return right.length === given.length && timingSafeEqual(right, given);
}
