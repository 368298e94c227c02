import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestBrowser, enableTwoFactor, newTestPerson, PASSWORD } from "@/server/domain/auth/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { resetTwoFactor } from "./reset-two-factor";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const reset = (email: string) => resetTwoFactor({ services: world.services, job: "test", input: { email } });

test("a reset turns two-factor sign-in off, and ends all sign-ins, begun ones too", async () => {
  const { email, browser, who, signIn } = await newTestPerson(world);
  await signIn();
  const { recoveryCodes } = await enableTwoFactor(browser);
  const begun = createTestBrowser(world.services);
  await begun.ask("/sign-in/email", { email, password: PASSWORD });
  expect(await reset(email)).toEqual({ wasOn: true });
  expect(await who()).toBeNull();
  const goneOn = await begun.ask("/two-factor/verify-backup-code", { code: recoveryCodes[0] });
  expect(goneOn.status).not.toBe(200);
  expect(await signIn()).toMatchObject({ status: 200, body: { needsSecondFactor: false } });
  expect(await who()).toMatchObject({ hasTwoFactor: false });
});

test("a reset leaves everybody else's two-factor sign-in and sign-ins as they are", async () => {
  const [ada, grace] = [await newTestPerson(world), await newTestPerson(world)];
  for (const { signIn, browser } of [ada, grace]) {
    await signIn();
    await enableTwoFactor(browser);
  }
  expect(await reset(ada.email)).toEqual({ wasOn: true });
  expect(await grace.who()).toMatchObject({ hasTwoFactor: true });
});

test("a reset is in the audit log, as the operator's", async () => {
  const { email, ctx, browser, signIn } = await newTestPerson(world);
  await signIn();
  await enableTwoFactor(browser);
  await reset(email.toUpperCase());
  const rows = await world.database.sql`
    select actor_id, action from audit_log
    where organization_id = ${ctx.actor.organizationId} and action = 'member.two_factor_reset'`;
  expect(rows).toEqual([{ actor_id: "test", action: "member.two_factor_reset" }]);
});

test("a reset for an address without an account is refused", async () => {
  await expect(reset("nobody@example.com")).rejects.toMatchObject({
    code: "validation_failed",
    field: "email",
  });
});
