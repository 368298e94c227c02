import type { Actor, Role } from "@/server/core/actor";
import { WaypostError } from "@/server/platform/errors";

/**
 * Checks that only owners add, change and remove owners: otherwise an admin could become one.
 * @throws WaypostError `permission_denied`.
 */
export function requireMayGive(actor: Actor, ...roles: readonly Role[]): void {
  if (actor.kind !== "member" || actor.role === "owner" || !roles.includes("owner")) return;
  throw new WaypostError("permission_denied", {
    message: "Only an owner can make, change or remove owners.",
  });
}

/**
 * Checks that only owners withdraw or replace an owner's open invitation.
 * @throws WaypostError `permission_denied`.
 */
export function requireMayWithdraw(actor: Actor, role: Role): void {
  if (actor.kind !== "member" || actor.role === "owner" || role !== "owner") return;
  throw new WaypostError("permission_denied", {
    message: "This address has an open invitation as an owner. Only an owner can withdraw or replace it.",
  });
}
