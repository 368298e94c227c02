import { WaypostError } from "./errors";
import type { Actor, Role } from "./api/actor";

/** Scopes of API keys (spec section 5.4), in the order in which they are shown. */
export const SCOPES = {
  "messages:send": { description: "Send messages", isDefault: true },
  "messages:read": { description: "Read messages and what became of them", isDefault: true },
  "contacts:read": { description: "Find the contact of a number when sending with `to`", isDefault: true },
  "contacts:write": { description: "Create a contact when sending to a new number", isDefault: true },
  "templates:read": { description: "Send templates, and list them", isDefault: true },
  "webhooks:manage": {
    description: "Manage webhook endpoints: for later, no route needs it yet",
    isDefault: false,
  },
} as const satisfies Record<string, { description: string; isDefault: boolean }>;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES).filter(isScope);
export const DEFAULT_SCOPES = SCOPE_NAMES.filter((scope) => SCOPES[scope].isDefault);

export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}

/**
 * Who may do what. `roles` have a capability by their role; a member of another role can be given it by
 * name where `grantable`. `scope` is what a key needs for it; null where no key can have it.
 */
export const CAPABILITIES = {
  "messages.send": { scope: "messages:send", roles: ["owner", "admin", "agent"], grantable: false },
  "messages.read": { scope: "messages:read", roles: ["owner", "admin", "agent"], grantable: false },
  "channels.read": { scope: "messages:send", roles: ["owner", "admin", "agent"], grantable: false },
  "templates.read": { scope: "templates:read", roles: ["owner", "admin", "agent"], grantable: false },
  "contacts.erase": { scope: null, roles: ["owner", "admin"], grantable: true },
  "organization.manage": { scope: null, roles: ["owner", "admin"], grantable: false },
  "integrations.manage_api": { scope: null, roles: ["owner", "admin"], grantable: true },
  /** Needs nothing but a key that works: `GET /ping`. */
  authenticated: { scope: null, roles: ["owner", "admin", "agent"], grantable: false },
} as const satisfies Record<string, { scope: Scope | null; roles: readonly Role[]; grantable: boolean }>;

export type Capability = keyof typeof CAPABILITIES;

/** True when the actor may; fails closed. The system's own work may do all. */
function isAllowed(actor: Actor, capability: Capability): boolean {
  const entry: { scope: Scope | null; roles: readonly Role[]; grantable: boolean } = CAPABILITIES[capability];
  switch (actor.kind) {
    case "system":
      return true;
    case "key":
      return capability === "authenticated" || (entry.scope !== null && actor.scopes.includes(entry.scope));
    case "member":
      return entry.roles.includes(actor.role) || (entry.grantable && actor.permissions.includes(capability));
  }
}

/** @throws WaypostError `missing_scope` for a key (naming the scope), `permission_denied` for a member. */
export function requireCapability(actor: Actor, capability: Capability): void {
  if (isAllowed(actor, capability)) return;
  const scope = CAPABILITIES[capability].scope;
  if (actor.kind === "key" && scope !== null) throw missingScope(scope);
  throw new WaypostError("permission_denied");
}

/** A further scope that a key needs in one case only, such as `contacts:read` with `to`. Members have it by role. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === "key" && !actor.scopes.includes(scope)) throw missingScope(scope);
}

function missingScope(scope: Scope): WaypostError {
  return new WaypostError("missing_scope", { message: `The API key lacks the scope \`${scope}\`.` });
}
