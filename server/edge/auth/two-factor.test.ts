import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actsOn } from "@/server/domain/audit/testing";
import { resetTwoFactor } from "@/server/domain/members/reset-two-factor";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { personOf } from "@/server/domain/auth/session";
import { createTestBrowser, enableTwoFactor, newTestPerson, PASSWORD } from "@/server/domain/auth/testing";
import { totpOf } from "@/server/domain/auth/totp.fixture";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

describe("two-factor sign-in", () => {
  interface Enabled {
    readonly totpUri: string;
    readonly recoveryCodes: string[];
  }

  async function withTwoFactor() {
    const person = await newTestPerson(world);
    await person.signIn();
    const { body } = await person.browser.ask("/two-factor/enable", { password: PASSWORD });
    const { totpUri, recoveryCodes } = body as Enabled;
    expect((await person.who())?.hasTwoFactor).toBe(false);
    const verified = await person.browser.ask("/two-factor/verify-totp", { code: totpOf(totpUri) });
    expect(verified).toMatchObject({ status: 200, body: {} });
    expect((await person.who())?.hasTwoFactor).toBe(true);
    await person.browser.ask("/sign-out", {});
    expect(await person.who()).toBeNull();
    return { ...person, totpUri, recoveryCodes };
  }

  test("asks for the code after the password, and gives no session before", async () => {
    const { signIn, browser, who, totpUri, acts } = await withTwoFactor();
    expect(await signIn()).toMatchObject({ status: 200, body: { needsSecondFactor: true } });
    expect(await who()).toBeNull();
    const wrong = await browser.ask("/two-factor/verify-totp", { code: "000000" });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: "second_factor_wrong" } } });
    const code = totpOf(totpUri, 1);
    const right = await browser.ask("/two-factor/verify-totp", {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect(right.status).toBe(200);
    expect(await who()).not.toBeNull();
    expect(await acts()).toEqual(["member.signed_in", "member.two_factor_enabled", "member.signed_in"]);
  });

  test("is turned on once, also in the audit log, however often the code is given", async () => {
    const { browser, signIn, acts } = await newTestPerson(world);
    await signIn();
    const { body } = await browser.ask("/two-factor/enable", { password: PASSWORD });
    const { totpUri } = body as Enabled;
    for (let time = 0; time < 2; time++) {
      const { status } = await browser.ask("/two-factor/verify-totp", { code: totpOf(totpUri) });
      expect(status).toBe(200);
    }
    expect(await acts()).toEqual(["member.signed_in", "member.two_factor_enabled"]);
  });

  test("is in the audit log from its beginning to its end: who, and from where", async () => {
    const { memberId, address, browser, signIn } = await newTestPerson(world);
    await signIn();
    await enableTwoFactor(browser);
    for (const path of ["/two-factor/generate-backup-codes", "/two-factor/disable"]) {
      expect((await browser.ask(path, { password: PASSWORD })).status).toBe(200);
    }
    const [, ...acts] = await actsOn(world, memberId);
    const act = { actorKind: "member", actorId: memberId, address, subjectKind: "member", detail: {} };
    expect(acts).toEqual([
      { action: "member.signed_in", ...act },
      { action: "member.two_factor_enabled", ...act },
      { action: "member.recovery_codes_renewed", ...act },
      { action: "member.two_factor_disabled", ...act },
    ]);
  });

  test("takes each recovery code once", async () => {
    const { signIn, browser, who, recoveryCodes } = await withTwoFactor();
    const [code = ""] = recoveryCodes;
    expect(recoveryCodes.length).toBeGreaterThanOrEqual(8);
    await signIn();
    expect((await browser.ask("/two-factor/verify-backup-code", { code })).status).toBe(200);
    expect(await who()).not.toBeNull();
    await browser.ask("/sign-out", {});
    await signIn();
    const again = await browser.ask("/two-factor/verify-backup-code", { code });
    expect(again).toMatchObject({ status: 401, body: { error: { code: "second_factor_wrong" } } });
  });

  test("takes a recovery code of eight who try it at once from one", async () => {
    const { email, recoveryCodes } = await withTwoFactor();
    const browsers = Array.from({ length: 8 }, () => createTestBrowser(world.services));
    for (const browser of browsers) await browser.ask("/sign-in/email", { email, password: PASSWORD });
    const code = recoveryCodes[0];
    const answers = await Promise.all(
      browsers.map((browser) => browser.ask("/two-factor/verify-backup-code", { code })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(7);
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 401, body: { error: { code: "second_factor_wrong" } } });
  });

  test("takes a code of the app for one sign-in, and none of another by the same code", async () => {
    const { email, signIn, browser, who, totpUri } = await withTwoFactor();
    const code = totpOf(totpUri, 1);
    await signIn();
    expect((await browser.ask("/two-factor/verify-totp", { code })).status).toBe(200);
    const onlooker = createTestBrowser(world.services);
    await onlooker.ask("/sign-in/email", { email, password: PASSWORD });
    expect(await onlooker.ask("/two-factor/verify-totp", { code })).toMatchObject({
      status: 401,
      body: { error: { code: "second_factor_wrong" } },
    });
    expect(await personOf(world.services, onlooker.headers(), null)).toBeNull();
    expect(await who()).not.toBeNull();
  });

  test("takes no code to sign in that turned it on, also where it was given twice", async () => {
    const { browser, signIn, who } = await newTestPerson(world);
    await signIn();
    const { body } = await browser.ask("/two-factor/enable", { password: PASSWORD });
    const code = totpOf((body as Enabled).totpUri);
    for (let time = 0; time < 2; time++) await browser.ask("/two-factor/verify-totp", { code });
    await browser.ask("/sign-out", {});
    await signIn();
    expect(await browser.ask("/two-factor/verify-totp", { code })).toMatchObject({
      status: 401,
      body: { error: { code: "second_factor_wrong" } },
    });
    expect(await who()).toBeNull();
  });

  test("that waits for its code ends with a new password", async () => {
    const { email, signIn, browser, recoveryCodes } = await withTwoFactor();
    const begun = createTestBrowser(world.services);
    await begun.ask("/sign-in/email", { email, password: PASSWORD });
    await signIn();
    await browser.ask("/two-factor/verify-backup-code", { code: recoveryCodes[0] });
    const change = { currentPassword: PASSWORD, newPassword: "another horse battery" };
    expect((await browser.ask("/change-password", change)).status).toBe(200);
    expect(await begun.ask("/two-factor/verify-backup-code", { code: recoveryCodes[1] })).toMatchObject({
      status: 401,
      body: { error: { code: "sign_in_expired" } },
    });
  });

  test("is turned off by the password only", async () => {
    const { signIn, browser, who, recoveryCodes } = await withTwoFactor();
    await signIn();
    await browser.ask("/two-factor/verify-backup-code", { code: recoveryCodes[1] });
    const wrong = await browser.ask("/two-factor/disable", { password: "wrong" });
    expect(wrong).toMatchObject({ status: 422, body: { error: { code: "password_wrong" } } });
    expect((await browser.ask("/two-factor/disable", { password: PASSWORD })).status).toBe(200);
    expect((await who())?.hasTwoFactor).toBe(false);
  });

  test("gets new recovery codes by the password only: the former ones end, and the audit log says so", async () => {
    const { signIn, browser, recoveryCodes, acts } = await withTwoFactor();
    await signIn();
    await browser.ask("/two-factor/verify-backup-code", { code: recoveryCodes[0] });
    const renew = (password: string) => browser.ask("/two-factor/generate-backup-codes", { password });
    expect(await renew("wrong")).toMatchObject({ status: 422, body: { error: { code: "password_wrong" } } });
    expect(await acts()).not.toContain("member.recovery_codes_renewed");
    const { body } = await renew(PASSWORD);
    expect((await acts()).at(-1)).toBe("member.recovery_codes_renewed");
    await browser.ask("/sign-out", {});
    await signIn();
    const tried = async (code: string | undefined) =>
      (await browser.ask("/two-factor/verify-backup-code", { code })).status;
    expect(await tried(recoveryCodes[1])).toBe(401);
    expect(await tried((body as Enabled).recoveryCodes[0])).toBe(200);
  });

  test("is given up after wrong codes, and begins with the password again", async () => {
    const { signIn, browser } = await withTwoFactor();
    await signIn();
    const codes = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const { body } = await browser.ask("/two-factor/verify-totp", { code: "000000" });
      codes.push((body as { error: { code: string } }).error.code);
    }
    expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "second_factor_wrong"));
    expect(codes.slice(5)).not.toContain("second_factor_wrong");
  });

  test("that isn't on is turned off by nobody: no sign-in ends, and the audit log says nothing", async () => {
    const { ctx, email, signIn, who, acts } = await newTestPerson(world);
    await signIn();
    const reset = () => resetTwoFactor({ services: world.services, job: "test", input: { email } });
    expect(await reset()).toEqual({ wasOn: false });
    expect(await who()).not.toBeNull();
    expect(await acts()).toEqual(["member.signed_in"]);
    const records = await world.database.sql`
      select 1 from audit_log
      where organization_id = ${ctx.actor.organizationId} and action = 'member.two_factor_reset'`;
    expect(records).toEqual([]);
  });
});
