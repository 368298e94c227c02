import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "@/server/core/actor";
import { CAPABILITIES, GRANTABLE, type Scope, SCOPE_NAMES } from "@/server/core/capabilities";
import type { Caller } from "@/server/core/context";
import { type ErrorCode, isWaypostError } from "@/server/platform/errors";
import { asKey } from "@/server/domain/messages/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { proceduresOf } from "@/server/edge/public/routes";
import { type Role, ROLES } from "@/server/core/actor";
import { ANSWERED, CALLS, EXPECTED, UNKNOWN } from "./matrix.fixture";
import { procedure } from "@/server/core/procedure";
import { appRouter } from "./router";
import { missingStep } from "@/server/testing";
import { t } from "@/server/core/trpc";
import { servicesWith } from "@/server/core/testing";

let world: TestWorld;
let callers: Readonly<Record<string, Caller>>;

beforeAll(async () => {
  world = await openTestWorld();
  // Meta isn't called.
  const services = servicesWith(world.services, { urls: { upstream: () => null } });
  const ctx = await createTestOrganization(services);
  const person: Person = {
    userId: UNKNOWN,
    sessionId: UNKNOWN,
    email: "ada@example.com",
    name: "Ada",
    hasTwoFactor: false,
    address: null,
  };
  const members = await Promise.all(
    ROLES.map(async (role) => [`as ${role}`, { ...(await asMember(ctx, role)), person }] as const),
  );
  const grants = await Promise.all(
    GRANTABLE.map(
      async ({ name }) =>
        [`as agent given ${name}`, { ...(await asMember(ctx, "agent", [name])), person }] as const,
    ),
  );
  const nobody = { services, actor: null, requestId: null };
  callers = {
    "signed out": nobody,
    "signed in, and not a member": { ...nobody, person },
    "by a key with contacts:read": await asKey(ctx, { scopes: ["contacts:read"] }),
    "by a key with webhooks:manage": await asKey(ctx, { scopes: ["webhooks:manage"] }),
    "by a key with every scope": await asKey(ctx, { scopes: [...SCOPE_NAMES] }),
    ...Object.fromEntries([...members, ...grants]),
  };
});
afterAll(() => world.close());

const metas = Object.entries(proceduresOf(appRouter)).map(([name, { meta }]) => ({
  name,
  access: "access" in meta ? meta.access : meta.capability,
  codes: meta.errors,
  isPublic: "capability" in meta && meta.openapi !== undefined,
}));

/** The error that a caller must get; null when the caller has access. */
function expectedError(who: string, { name, access, isPublic }: (typeof metas)[number]): string | null {
  if (access === "anyone") return null;
  const isKey = who.startsWith("by a key");
  if (access === "signed-in") return isKey || who === "signed out" ? "not_signed_in" : null;
  if (who === "signed out") return "not_signed_in";
  if (who === "signed in, and not a member") return "organization_not_found";
  const entry: { scope: Scope | null; roles: readonly Role[]; comesWith?: string } = CAPABILITIES[access];
  if (isKey) {
    if (!isPublic) return "permission_denied";
    if (access === "authenticated") return null;
    if (entry.scope === null) return "permission_denied";
    return who.endsWith("every scope") || who.endsWith(entry.scope) ? null : "missing_scope";
  }
  // A key's information about itself is for that key only.
  if (name === "ping") return "permission_denied";
  const role = ROLES.find((one) => who.startsWith(`as ${one}`));
  const isGiven = [access, entry.comesWith].some((name) => who.endsWith(` given ${name}`));
  return isGiven || entry.roles.some((one) => one === role) ? null : "permission_denied";
}

/** Codes with which any procedure may refuse an input or a caller. */
const COMMON_CODES: readonly ErrorCode[] = ["validation_failed", "unavailable"];

/**
 * The outcome of a call: a response, or the code of an error. @throws other errors, and codes that aren't in the
 * catalogue.
 */
async function outcomeOf(name: string, caller: Caller): Promise<string> {
  let found: unknown = t.createCallerFactory(appRouter)(caller);
  for (const part of name.split(".")) found = Reflect.get(Object(found), part);
  if (typeof found !== "function") throw new Error(`There is no procedure ${name}`);
  try {
    await found(CALLS[name]?.[0]);
    return ANSWERED;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (!isWaypostError(cause) || cause.code === "internal_error") throw error;
    return cause.code;
  }
}

test("every procedure says who may call it, as is written here", () => {
  const declared = Object.fromEntries(metas.map(({ name, access }) => [name, access]));
  expect(
    Object.keys(EXPECTED).filter((name) => !(name in declared)),
    missingStep("Route"),
  ).toEqual([]);
  expect(declared, missingStep("Access")).toEqual(EXPECTED);
});

test("a procedure without meta keeps the program from starting", () => {
  const router = t.router({ open: t.procedure.query(() => 1), closed: procedure(META).query(() => 1) });
  // Guarantee: only the names and metas of its procedures are read.
  expect(() => proceduresOf(router as unknown as typeof appRouter)).toThrow(/open has no meta/);
});

const META = { capability: "messages.read", bucket: null, status: 200, statuses: [200], errors: [] } as const;

test("every procedure is called here, and answers or refuses with what its meta names", () => {
  const names = metas.map(({ name }) => name);
  expect(
    names.filter((name) => !(name in CALLS)),
    missingStep("Access"),
  ).toEqual([]);
  expect(
    Object.keys(CALLS).filter((name) => !names.includes(name)),
    missingStep("Route"),
  ).toEqual([]);
  for (const { name, codes } of metas) {
    const named = [ANSWERED, ...COMMON_CODES, ...codes].map((code) => `${name}: ${code}`);
    expect(named, missingStep("Errors")).toContain(`${name}: ${CALLS[name]?.[1]}`);
  }
});

describe.each(metas)("$name ($access)", (meta) => {
  test("does its work for whom its meta says, and refuses everybody else", async () => {
    const outcomes = await Promise.all(
      Object.entries(callers).map(
        async ([who, caller]) => [who, await outcomeOf(meta.name, caller)] as const,
      ),
    );
    const done = CALLS[meta.name]?.[1];
    const expected = Object.keys(callers).map((who) => [who, expectedError(who, meta) ?? done]);
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
  });
});
