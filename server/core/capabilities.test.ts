import { describe, expect, test } from "vitest";
import { type Actor, type KeyActor, type MemberActor, type Role, ROLES } from "./actor";
import {
  CAPABILITIES,
  type Capability,
  DEFAULT_SCOPES,
  GRANTABLE,
  isGrantable,
  requireCapability,
  type Scope,
} from "./capabilities";
import { isWaypostError } from "@/server/platform/errors";

function isAllowed(actor: Actor, capability: Capability): boolean {
  try {
    requireCapability(actor, capability);
    return true;
  } catch (error) {
    if (isWaypostError(error)) return false;
    throw error;
  }
}

function key(...scopes: Scope[]): KeyActor {
  return {
    kind: "key",
    organizationId: "o",
    keyId: "k",
    keyName: "Key",
    keyPrefix: "ak_live_x",
    secretId: "s",
    scopes,
    channelIds: null,
    expiresAt: null,
    sendLimit: 60,
    readLimit: 600,
  };
}

const member = (role: Role, ...permissions: string[]): MemberActor => ({
  kind: "member",
  organizationId: "o",
  memberId: "m",
  userId: "u",
  address: null,
  role,
  permissions,
});

describe("a key", () => {
  test("may what its scopes say, and nothing else", () => {
    expect(isAllowed(key("messages:send"), "messages.send")).toBe(true);
    expect(isAllowed(key("messages:send"), "messages.read")).toBe(false);
    expect(isAllowed(key(), "messages.send")).toBe(false);
    expect(isAllowed(key(), "authenticated")).toBe(true);
  });

  test("may never manage keys, whatever its scopes", () => {
    const all: Scope[] = [...DEFAULT_SCOPES, "webhooks:manage"];
    expect(isAllowed(key(...all), "integrations.manage_api")).toBe(false);
  });

  test("is told which scope it lacks", () => {
    expect(() => requireCapability(key(), "messages.read")).toThrow(
      expect.objectContaining({ code: "missing_scope", message: expect.stringContaining("messages:read") }),
    );
  });

  test("has every scope but webhooks:manage by default", () => {
    expect(DEFAULT_SCOPES).toEqual([
      "messages:send",
      "messages:read",
      "contacts:read",
      "contacts:write",
      "templates:read",
    ]);
  });
});

describe("a member", () => {
  test.each<[Capability, Role[]]>([
    ["integrations.manage_api", ["owner", "admin"]],
    ["webhooks.manage", ["owner", "admin"]],
    ["messages.send", ["owner", "admin", "agent"]],
    ["messages.read", ["owner", "admin", "agent"]],
  ])("has %s by role: %s", (capability, roles) => {
    expect(ROLES.filter((role) => isAllowed(member(role), capability))).toEqual(roles);
  });

  test("may be given a capability by name, and no other by it", () => {
    expect(isAllowed(member("agent", "integrations.manage_api"), "integrations.manage_api")).toBe(true);
    expect(isAllowed(member("agent", "channels.manage"), "integrations.manage_api")).toBe(false);
    const ungrantable = member("agent", "authenticated", "messages.send");
    expect(() => requireCapability(ungrantable, "integrations.manage_api")).toThrow(
      expect.objectContaining({ code: "permission_denied" }),
    );
  });
});

describe("webhooks", () => {
  test("are managed by a key with their scope, and by no other", () => {
    expect(isAllowed(key("webhooks:manage"), "webhooks.manage")).toBe(true);
    expect(isAllowed(key(...DEFAULT_SCOPES), "webhooks.manage")).toBe(false);
  });

  test("are managed by whoever was given API keys, and can't be given alone", () => {
    expect(isAllowed(member("agent", "integrations.manage_api"), "webhooks.manage")).toBe(true);
    expect(isAllowed(member("agent", "webhooks.manage", "channels.manage"), "webhooks.manage")).toBe(false);
    expect(isGrantable("webhooks.manage")).toBe(false);
  });
});

test("what can be given has words, and nothing else", () => {
  const grantable = Object.keys(CAPABILITIES).filter(isGrantable);
  expect(GRANTABLE.map(({ name }) => name).toSorted()).toEqual(grantable.toSorted());
});
