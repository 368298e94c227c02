import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { resetPassword } from "@/server/domain/members/reset-password";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { ATTEMPTS_MAX, SLOWED } from "./attempts";
import { setClockWrong, WRONG_CLOCKS } from "@/server/testing";
import { createTestBrowser, enableTwoFactor, newTestPerson, PASSWORD } from "./testing";
import { totpOf } from "./totp.fixture";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());
afterEach(() => void vi.useRealTimers());

describe.each(WRONG_CLOCKS)("a process's clock that is set an hour %s", (_, byMs) => {
  const setClock = () => setClockWrong(byMs);

  test("ends no session, begins sessions that last, and so does setting it right", async () => {
    const { email, who, signIn } = await newTestPerson(world);
    await signIn();
    setClock();
    expect(await who()).not.toBeNull();
    const other = createTestBrowser(world.services);
    expect((await other.ask("/sign-in/email", { email, password: PASSWORD })).status).toBe(200);
    vi.useRealTimers();
    expect(await who()).not.toBeNull();
    expect((await other.ask("/two-factor/enable", { password: PASSWORD })).status).toBe(200);
    expect((await signIn()).status).toBe(200);
  });

  test("refuses codes of an app whose clock is right, takes recovery codes, and takes codes once it is right", async () => {
    const { browser, signIn, who } = await newTestPerson(world);
    await signIn();
    const { totpUri, recoveryCodes } = await enableTwoFactor(browser);
    await browser.ask("/sign-out", {});
    const code = totpOf(totpUri, 1);
    setClock();
    expect(await signIn()).toMatchObject({ status: 200, body: { needsSecondFactor: true } });
    expect((await browser.ask("/two-factor/verify-totp", { code })).status).toBe(401);
    expect((await browser.ask("/two-factor/verify-backup-code", { code: recoveryCodes[0] })).status).toBe(
      200,
    );
    expect(await who()).not.toBeNull();
    await browser.ask("/sign-out", {});
    vi.useRealTimers();
    await signIn();
    expect((await browser.ask("/two-factor/verify-totp", { code })).status).toBe(200);
    expect(await who()).not.toBeNull();
  });

  test("gives no further attempts to who was wrong too often, and keeps nobody out for longer", async () => {
    const { email, signIn } = await newTestPerson(world);
    const guesser = createTestBrowser(world.services);
    const attempt = (password: string) => guesser.ask("/sign-in/email", { email, password });
    const max = ATTEMPTS_MAX.accountFromNetwork + SLOWED.accountFromNetwork.max;
    for (let time = 0; time < max; time++) expect((await attempt("wrong")).status).toBe(401);
    setClock();
    const refused = await attempt(PASSWORD);
    expect(refused.status).toBe(429);
    const retryAfter = Number(refused.headers.get("Retry-After"));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(15 * 60);
    expect((await signIn()).status).toBe(200);
    vi.useRealTimers();
    expect((await attempt(PASSWORD)).status).toBe(429);
  });

  test("leaves a link for a new password that is made by it working, and one that is made afterwards", async () => {
    const { email, browser, signIn } = await newTestPerson(world);
    const setBy = async (newPassword: string) => {
      const { token } = await resetPassword({ services: world.services, job: "test", input: { email } });
      expect((await browser.ask("/reset-password", { token, newPassword })).status).toBe(200);
      expect((await signIn(newPassword)).status).toBe(200);
    };
    await resetPassword({ services: world.services, job: "test", input: { email } });
    setClock();
    await setBy("another horse battery");
    vi.useRealTimers();
    await setBy("a third horse battery");
  });
});
