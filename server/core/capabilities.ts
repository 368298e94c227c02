import { WaypostError } from "@/server/platform/errors";
import type { Actor, Role } from "./actor";

/** Scopes of API keys, in display order. */
export const SCOPES = {
  "messages:send": { description: "Send messages, upload files, and list channels", isDefault: true },
  "messages:read": { description: "Read messages, conversations and delivery status", isDefault: true },
  "contacts:read": {
    description: "Read contacts, and find the contact of a number when you send with `to`",
    isDefault: true,
  },
  "contacts:write": {
    description: "Change contacts, and create one when you send to a new number",
    isDefault: true,
  },
  "templates:read": { description: "Send and list templates", isDefault: true },
  "webhooks:manage": { description: "Manage webhook endpoints and read their events", isDefault: false },
} as const satisfies Record<string, { description: string; isDefault: boolean }>;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES).filter(isScope);
export const DEFAULT_SCOPES = SCOPE_NAMES.filter((scope) => SCOPES[scope].isDefault);

export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}

/**
 * The capability table. `roles` lists the roles that have a capability. A member of another role can be granted it by
 * name if `grantable` is set, or gets it with the capability named in `comesWith`. `scope` is the scope that a key
 * needs; null if no key can have the capability. `words` follow "may"; null for capabilities that need no explanation.
 */
export const CAPABILITIES = {
  "messages.send": {
    scope: "messages:send",
    roles: ["owner", "admin", "agent"],
    grantable: false,
    words: "send and resend messages",
  },
  "messages.read": {
    scope: "messages:read",
    roles: ["owner", "admin", "agent"],
    grantable: false,
    words: "find messages, and see their delivery status",
  },
  "channels.read": {
    scope: "messages:send",
    roles: ["owner", "admin", "agent"],
    grantable: false,
    words: null,
  },
  "templates.read": {
    scope: "templates:read",
    roles: ["owner", "admin", "agent"],
    grantable: false,
    words: null,
  },
  "organization.read": { scope: null, roles: ["owner", "admin", "agent"], grantable: false, words: null },
  "requests.read": {
    scope: null,
    roles: ["owner", "admin", "agent"],
    grantable: false,
    words: "see the API log",
  },
  "usage.read": { scope: null, roles: ["owner", "admin", "agent"], grantable: false, words: "see usage" },
  "contacts.read": {
    scope: "contacts:read",
    roles: ["owner", "admin", "agent"],
    grantable: false,
    words: "find contacts",
  },
  "contacts.write": {
    scope: "contacts:write",
    roles: ["owner", "admin", "agent"],
    grantable: false,
    words: "change contacts",
  },
  "channels.manage": { scope: null, roles: ["owner", "admin"], grantable: true, words: "manage channels" },
  "members.manage": {
    scope: null,
    roles: ["owner", "admin"],
    grantable: false,
    words: "invite members, and change their permissions",
  },
  "audit.read": { scope: null, roles: ["owner", "admin"], grantable: true, words: "read the audit log" },
  "contacts.erase": { scope: null, roles: ["owner", "admin"], grantable: true, words: "erase contacts" },
  "organization.manage": {
    scope: null,
    roles: ["owner", "admin"],
    grantable: false,
    words: "change the organization",
  },
  "integrations.manage_api": {
    scope: null,
    roles: ["owner", "admin"],
    grantable: true,
    words: "manage API keys and webhooks",
  },
  "webhooks.manage": {
    scope: "webhooks:manage",
    roles: ["owner", "admin"],
    grantable: false,
    comesWith: "integrations.manage_api",
    words: null,
  },
  /** Needs only a valid key: `GET /ping`. */
  authenticated: { scope: null, roles: ["owner", "admin", "agent"], grantable: false, words: null },
} as const satisfies Record<string, CapabilityEntry>;

interface CapabilityEntry {
  readonly scope: Scope | null;
  readonly roles: readonly Role[];
  readonly grantable: boolean;
  /** A member who was granted this capability has the other one, too. */
  readonly comesWith?: string;
  readonly words: string | null;
}

export type Capability = keyof typeof CAPABILITIES;

/** Capabilities that can be granted to a member in addition to their role. */
export const GRANTABLE = (
  [
    "integrations.manage_api",
    "channels.manage",
    "contacts.erase",
    "audit.read",
  ] as const satisfies readonly Capability[]
).map((name) => ({ name, words: CAPABILITIES[name].words }));

/** Returns true if the actor has the capability. Fails closed. The system actor has every capability. */
export function isAllowed(actor: Actor, capability: Capability): boolean {
  const entry: CapabilityEntry = CAPABILITIES[capability];
  switch (actor.kind) {
    case "system":
      return true;
    case "key":
      return capability === "authenticated" || (entry.scope !== null && actor.scopes.includes(entry.scope));
    case "member":
      return entry.roles.includes(actor.role) || isGiven(actor.permissions, capability, entry);
  }
}

function isGiven(
  permissions: readonly string[],
  capability: Capability,
  { grantable, comesWith }: CapabilityEntry,
): boolean {
  const isByName = grantable && permissions.includes(capability);
  return isByName || (comesWith !== undefined && permissions.includes(comesWith));
}

/** Returns all capabilities of the actor. */
export function capabilitiesOf(actor: Actor): readonly Capability[] {
  return Object.keys(CAPABILITIES)
    .map(asCapability)
    .filter((capability) => isAllowed(actor, capability));
}

/** @throws WaypostError `missing_scope` for a key (naming the scope), `permission_denied` for a member. */
export function requireCapability(actor: Actor, capability: Capability): void {
  if (isAllowed(actor, capability)) return;
  const scope = CAPABILITIES[capability].scope;
  if (actor.kind === "key" && scope !== null) throw missingScope(scope);
  throw new WaypostError("permission_denied");
}

/**
 * Like `requireCapability`, for actions that only people may take, whatever scopes a key has.
 * @throws WaypostError `permission_denied`.
 */
export function requireMemberCapability(actor: Actor, capability: Capability): void {
  if (actor.kind === "key" || !isAllowed(actor, capability)) throw new WaypostError("permission_denied");
}

/**
 * Requires a further scope that a key needs in one case only, such as `contacts:read` with `to`. Members have it by
 * role.
 */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === "key" && !actor.scopes.includes(scope)) throw missingScope(scope);
}

function missingScope(scope: Scope): WaypostError {
  return new WaypostError("missing_scope", { message: `The API key lacks the scope \`${scope}\`.` });
}

/** Returns true if the capability can be granted to a member by name, in addition to their role. */
export function isGrantable(name: string): boolean {
  const entry: CapabilityEntry | undefined = Object.hasOwn(CAPABILITIES, name)
    ? CAPABILITIES[asCapability(name)]
    : undefined;
  return entry?.grantable === true;
}

/** Guarantee: the caller has found the name in CAPABILITIES. */
function asCapability(name: string): Capability {
  return name as Capability;
}
