import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "../auth/session";
import { CAPABILITIES, type Capability, GRANTABLE, type Scope, SCOPE_NAMES } from "../capabilities";
import type { Caller } from "../context";
import { type ErrorCode, isWaypostError } from "../errors";
import { asKey } from "../messages/testing";
import { asMember, createTestOrganization, openTestWorld, type TestWorld } from "../organizations/testing";
import { proceduresOf } from "../public-api/routes";
import { type Role, ROLES } from "./actor";
import { procedure } from "./procedure";
import { appRouter } from "./router";
import { t } from "./trpc";

/** Who may call what: each procedure, by the capability or the door that its meta names. */
const EXPECTED: Readonly<Record<string, Capability | "signed-in" | "anyone">> = {
  "account.endOtherSessions": "signed-in",
  "account.endSession": "signed-in",
  "account.me": "signed-in",
  "account.rename": "signed-in",
  "account.sessions": "signed-in",
  "audit.list": "audit.read",
  "audit.options": "audit.read",
  "channels.awaitingStatus": "channels.read",
  "channels.connect": "channels.manage",
  "channels.disable": "channels.manage",
  "channels.enable": "channels.manage",
  "channels.get": "channels.read",
  "channels.list": "channels.read",
  "channels.makeDefault": "channels.manage",
  "channels.renewVerifyToken": "channels.manage",
  "channels.resume": "channels.manage",
  "channels.set": "channels.manage",
  "channels.survey": "channels.read",
  "contacts.erase": "contacts.erase",
  "contacts.get": "contacts.read",
  "contacts.list": "contacts.read",
  "contacts.previewErasure": "contacts.erase",
  "keys.create": "integrations.manage_api",
  "keys.endFormerSecret": "integrations.manage_api",
  "keys.get": "integrations.manage_api",
  "keys.identify": "integrations.manage_api",
  "keys.list": "integrations.manage_api",
  "keys.options": "integrations.manage_api",
  "keys.revoke": "integrations.manage_api",
  "keys.rotate": "integrations.manage_api",
  "keys.set": "integrations.manage_api",
  "members.acceptInvitation": "anyone",
  "members.invitations": "members.manage",
  "members.invite": "members.manage",
  "members.list": "members.manage",
  "members.openInvitation": "anyone",
  "members.remove": "members.manage",
  "members.setRights": "members.manage",
  "members.withdrawInvitation": "members.manage",
  "messages.get": "messages.read",
  "messages.inspect": "messages.read",
  "messages.list": "messages.read",
  "messages.resend": "messages.send",
  "messages.failures": "messages.read",
  "messages.search": "messages.read",
  "messages.send": "messages.send",
  "messages.sendTest": "messages.send",
  "organization.current": "organization.read",
  "organization.rename": "organization.manage",
  "organization.setRetention": "organization.manage",
  ping: "authenticated",
  "requests.get": "requests.read",
  "requests.list": "requests.read",
  "requests.refusals": "requests.read",
  "setup.open": "anyone",
  "setup.setUp": "anyone",
  "templates.get": "templates.read",
  "templates.list": "templates.read",
  "templates.refresh": "templates.read",
  "templates.search": "templates.read",
  "uploads.create": "messages.send",
  "usage.summary": "usage.read",
};

/** An id that nothing has. */
const UNKNOWN = "01a200ba-a44e-7076-8d1e-034800352ddb";
const ANSWERED = "answered";

/**
 * What each procedure is called with, which is right but for its ids, and what whoever may call it is told: an answer, or
 * the code of a refusal that its work has come to.
 */
const CALLS: Readonly<Record<string, readonly [input: object | undefined, outcome: string]>> = {
  "account.endOtherSessions": [undefined, ANSWERED],
  "account.endSession": [{ sessionId: UNKNOWN }, "session_not_found"],
  "account.me": [undefined, ANSWERED],
  "account.rename": [{ name: "Ada" }, ANSWERED],
  "account.sessions": [undefined, ANSWERED],
  "audit.list": [{}, ANSWERED],
  "audit.options": [undefined, ANSWERED],
  "channels.awaitingStatus": [{}, ANSWERED],
  "channels.connect": [
    { name: "Shop", phoneNumberId: "1", wabaId: "2", accessToken: "token", appSecret: "secret" },
    "unavailable",
  ],
  "channels.disable": [{ channelId: UNKNOWN }, "channel_not_found"],
  "channels.enable": [{ channelId: UNKNOWN }, "channel_not_found"],
  "channels.get": [{ channelId: UNKNOWN }, "channel_not_found"],
  "channels.list": [{}, ANSWERED],
  "channels.makeDefault": [{ channelId: UNKNOWN }, "channel_not_found"],
  "channels.renewVerifyToken": [{ channelId: UNKNOWN }, "channel_not_found"],
  "channels.resume": [{ channelId: UNKNOWN }, "channel_not_found"],
  "channels.set": [{ channelId: UNKNOWN, name: "Shop" }, "channel_not_found"],
  "channels.survey": [{}, ANSWERED],
  "contacts.erase": [{ contactId: UNKNOWN }, "contact_not_found"],
  "contacts.get": [{ contactId: UNKNOWN }, "contact_not_found"],
  "contacts.list": [{}, ANSWERED],
  "contacts.previewErasure": [{ contactId: UNKNOWN }, "contact_not_found"],
  "keys.create": [{ name: "Shop" }, ANSWERED],
  "keys.endFormerSecret": [{ keyId: UNKNOWN, secretId: UNKNOWN }, "key_not_found"],
  "keys.get": [{ keyId: UNKNOWN }, "key_not_found"],
  "keys.identify": [{ text: "no key" }, ANSWERED],
  "keys.list": [{}, ANSWERED],
  "keys.options": [undefined, ANSWERED],
  "keys.revoke": [{ keyId: UNKNOWN }, "key_not_found"],
  "keys.rotate": [{ keyId: UNKNOWN, overlapSeconds: 0 }, "key_not_found"],
  "keys.set": [{ keyId: UNKNOWN, sendLimit: 1 }, "key_not_found"],
  "members.acceptInvitation": [{ token: "unknown" }, "link_invalid"],
  "members.invitations": [{}, ANSWERED],
  "members.invite": [{ email: "grace@example.com", role: "agent" }, ANSWERED],
  "members.list": [{}, ANSWERED],
  "members.openInvitation": [{ token: "unknown" }, "link_invalid"],
  "members.remove": [{ memberId: UNKNOWN }, "member_not_found"],
  "members.setRights": [{ memberId: UNKNOWN, role: "agent", permissions: [] }, "member_not_found"],
  "members.withdrawInvitation": [{ invitationId: UNKNOWN }, "link_invalid"],
  "messages.failures": [undefined, ANSWERED],
  "messages.get": [{ id: UNKNOWN }, "message_not_found"],
  "messages.inspect": [{ messageId: UNKNOWN }, "message_not_found"],
  "messages.list": [{}, ANSWERED],
  "messages.resend": [{ messageId: UNKNOWN, click: UNKNOWN }, "message_not_found"],
  "messages.search": [{}, ANSWERED],
  "messages.send": [
    { client_message_id: "matrix", thread_id: UNKNOWN, type: "text", text: { body: "Hi" } },
    "thread_not_found",
  ],
  "messages.sendTest": [
    {
      click: UNKNOWN,
      channelId: UNKNOWN,
      number: "+49 151 12345678",
      content: { type: "text", body: "Hi" },
    },
    "channel_forbidden",
  ],
  "organization.current": [undefined, ANSWERED],
  "organization.rename": [{ name: "Test" }, ANSWERED],
  "organization.setRetention": [{ days: 30 }, ANSWERED],
  ping: [{}, ANSWERED],
  "requests.get": [{ requestId: UNKNOWN }, "request_not_found"],
  "requests.list": [{}, ANSWERED],
  "requests.refusals": [undefined, ANSWERED],
  "setup.open": [{ token: "unknown" }, "link_invalid"],
  "setup.setUp": [
    {
      token: "unknown",
      organizationName: "Shop",
      email: "ada@example.com",
      name: "Ada",
      password: "correct horse battery",
    },
    "link_invalid",
  ],
  "templates.get": [{ templateId: UNKNOWN }, "template_not_found"],
  "templates.list": [{}, ANSWERED],
  "templates.refresh": [{}, ANSWERED],
  "templates.search": [{}, ANSWERED],
  "uploads.create": [{}, "validation_failed"],
  "usage.summary": [{ range: "24h" }, ANSWERED],
};

let world: TestWorld;
let callers: Readonly<Record<string, Caller>>;

beforeAll(async () => {
  world = await openTestWorld();
  // Meta isn't asked.
  const services = { ...world.services, upstreamUrl: () => null };
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
    "by a key without the scope": await asKey(ctx, { scopes: ["webhooks:manage"] }),
    "by a key with every scope": await asKey(ctx, { scopes: [...SCOPE_NAMES] }),
    ...Object.fromEntries([...members, ...grants]),
  };
});
afterAll(() => world.close());

const metas = Object.entries(proceduresOf(appRouter)).map(([name, { meta }]) => ({
  name,
  access: "door" in meta ? meta.door : meta.capability,
  codes: meta.errors,
  isPublic: "capability" in meta && meta.openapi !== undefined,
}));

/** The refusal that a caller is to get; null where they are let in. */
function expectedRefusal(who: string, { name, access, isPublic }: (typeof metas)[number]): string | null {
  if (access === "anyone") return null;
  const isKey = who.startsWith("by a key");
  if (access === "signed-in") return isKey || who === "signed out" ? "not_signed_in" : null;
  if (who === "signed out") return "not_signed_in";
  if (who === "signed in, and not a member") return "organization_not_found";
  const entry: { scope: Scope | null; roles: readonly Role[] } = CAPABILITIES[access];
  if (isKey) {
    if (!isPublic) return "permission_denied";
    if (access === "authenticated" || (entry.scope !== null && who.endsWith("every scope"))) return null;
    return entry.scope === null ? "permission_denied" : "missing_scope";
  }
  // What a key is told of itself is nobody else's.
  if (name === "ping") return "permission_denied";
  const role = ROLES.find((one) => who.startsWith(`as ${one}`));
  const isGiven = who.endsWith(` given ${access}`);
  return isGiven || entry.roles.some((one) => one === role) ? null : "permission_denied";
}

/** Codes that any procedure may refuse an input or a caller with. */
const COMMON_CODES: readonly ErrorCode[] = ["validation_failed", "unavailable"];

/** What a call comes to: an answer, or the code of a refusal. @throws what isn't one, or is none of the catalogue's. */
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
  expect(Object.fromEntries(metas.map(({ name, access }) => [name, access]))).toEqual(EXPECTED);
});

test("a procedure without meta keeps the program from starting", () => {
  const router = t.router({ open: t.procedure.query(() => 1), closed: procedure(META).query(() => 1) });
  // Guarantee: only the names and metas of its procedures are looked at.
  expect(() => proceduresOf(router as unknown as typeof appRouter)).toThrow(/open has no meta/);
});

const META = { capability: "messages.read", bucket: null, status: 200, statuses: [200], errors: [] } as const;

test("every procedure is called here, and answers or refuses with what its meta names", () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(metas.map(({ name }) => name).toSorted());
  for (const { name, codes } of metas) {
    const named = [ANSWERED, ...COMMON_CODES, ...codes].map((code) => `${name}: ${code}`);
    expect(named).toContain(`${name}: ${CALLS[name]?.[1]}`);
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
    const expected = Object.keys(callers).map((who) => [who, expectedRefusal(who, meta) ?? done]);
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
  });
});
