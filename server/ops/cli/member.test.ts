import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenContext } from "@/server/core/context";
import { enableTwoFactor, newTestPerson } from "@/server/domain/auth/testing";
import { type CommandWorld, openCommands } from "@/server/ops/cli/testing";
import { acceptInvitation } from "@/server/domain/members/accept";
import { openInvitation } from "@/server/domain/members/open-invitation";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";

let world: TestWorld;
let commands: CommandWorld;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  commands = await openCommands(world.database.url);
});
afterAll(async () => {
  await commands.close();
  await world.close();
});

const waypost = (...args: string[]) => commands.waypost("member", ...args);
const nobody = (): OpenContext => ({
  services: world.services,
  requestId: null,
  person: null,
  address: null,
});

test("somebody is invited by a link, which makes them what it was made for", async () => {
  const { organizationId } = (await createTestOrganization(world.services)).actor;
  const whom = ["--org", organizationId, "--email", "Grace@example.com", "--role", "agent"];
  const rights = ["--permissions", "integrations.manage_api,audit.read"];
  const { code, stdout, stderr } = await waypost("invite", ...whom, ...rights, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { id, url, expires_at } = JSON.parse(stdout);
  const { origin, pathname, hash } = new URL(url);
  expect({ id, page: origin + pathname }).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    page: "http://localhost:4321/invitation",
  });
  expect(new Date(expires_at).getTime()).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000);
  const token = hash.slice(1);
  const invited = { email: "grace@example.com", role: "agent" };
  expect(await openInvitation({ ctx: nobody(), input: { token } })).toMatchObject(invited);
  const account = { name: "Grace", password: "correct horse battery" };
  await acceptInvitation({ ctx: nobody(), input: { token, account } });
  const list = await waypost("list", "--org", organizationId, "--json");
  expect(JSON.parse(list.stdout)).toMatchObject([
    { ...invited, permissions: ["integrations.manage_api", "audit.read"], two_factor: false },
  ]);
});

test.each([
  ["a role", ["--role", "king"], "Expected one of owner, admin, agent"],
  ["a capability", ["--role", "agent", "--permissions", "members.manage"], "members.manage isn't"],
])("nobody is invited with %s that isn't given", async (_, rights, words) => {
  const { organizationId } = (await createTestOrganization(world.services)).actor;
  const whom = ["--org", organizationId, "--email", "grace@example.com"];
  const { code, stdout, stderr } = await waypost("invite", ...whom, ...rights);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(words);
  expect(await world.database.sql`select from invitations where organization_id = ${organizationId}`).toEqual(
    [],
  );
});

test("somebody's two-factor sign-in is turned off once, and their sign-ins end", async () => {
  const { email, browser, signIn, who } = await newTestPerson(world);
  await signIn();
  await enableTwoFactor(browser);
  const { code, stdout, stderr } = await waypost("reset-2fa", email, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({ email, was_on: true });
  expect(await who()).toBeNull();
  expect(await signIn()).toMatchObject({ status: 200, body: { needsSecondFactor: false } });
  expect((await waypost("reset-2fa", email)).stdout).toBe(
    `Two-factor sign-in of ${email} wasn't on. Nothing has changed.\n`,
  );
  expect(await who()).not.toBeNull();
});

test("a reset for an address without an account fails, and says so", async () => {
  const { code, stdout, stderr } = await waypost("reset-2fa", "nobody@example.com");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/email/);
});
