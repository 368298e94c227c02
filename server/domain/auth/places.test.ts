import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetPassword } from "@/server/domain/members/reset-password";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { ATTEMPTS_MAX } from "./attempts";
import { networkOf } from "./network";
import { HASHING_LIMITS } from "@/server/platform/secrets/passwords";
import { createTestBrowser, enableTwoFactor, newTestPerson, PASSWORD } from "./testing";
import { totpOf } from "./totp.fixture";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

type Browser = ReturnType<typeof createTestBrowser>;

const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const elsewhere = () => createTestBrowser(world.services, newAddress());

const statusOf = async (browser: Browser, email: string, password = PASSWORD) =>
  (await browser.ask("/sign-in/email", { email, password })).status;

/** Tries wrong passwords from many networks, until strangers are refused. */
async function guess(email: string, from: () => Browser = elsewhere): Promise<void> {
  const statuses: number[] = [];
  while (statuses.length < ATTEMPTS_MAX.account + 10) {
    const guesses = Array.from({ length: HASHING_LIMITS.ofNetwork }, () => statusOf(from(), email, "wrong"));
    statuses.push(...(await Promise.all(guesses)));
  }
  expect(statuses).toContain(429);
  // Strangers stay refused, however long the rest of the test takes.
  await world.database.sql`
    update sign_in_attempts set window_ends_at = clock_timestamp() + interval '1 hour'
    where subject = ${world.services.vault.derive(`attempt:account slowed:${email}`)}`;
}

describe("an account whose password others guess", () => {
  test("takes the right one from a browser that has signed in to it, on another network and without a session", async () => {
    const { email, browser, signIn } = await newTestPerson(world);
    await signIn();
    await browser.ask("/sign-out", {});
    await guess(email);
    const travelling = createTestBrowser(world.services, newAddress(), browser.cookies);
    expect(await statusOf(travelling, email)).toBe(200);
    expect(await statusOf(elsewhere(), email)).toBe(429);
  });

  test("takes it from a network that has signed in to it, in a new browser, though neighbours guess at others", async () => {
    const { email, address, browser, signIn } = await newTestPerson(world);
    await signIn();
    await browser.ask("/sign-out", {});
    await guess(email);
    for (let attempt = 0; attempt < ATTEMPTS_MAX.network; attempt++)
      await statusOf(createTestBrowser(world.services, address), `nobody-${attempt}@example.com`);
    expect(await statusOf(createTestBrowser(world.services, address), email)).toBe(200);
  });

  test("takes it from a browser and from a network with a session, though no place is remembered", async () => {
    const { email, address, browser, signIn } = await newTestPerson(world);
    await signIn();
    await world.database.sql`
      delete from sign_in_places where user_id = (select id from users where email = ${email})`;
    await guess(email);
    expect((await browser.ask("/two-factor/enable", { password: PASSWORD })).status).toBe(200);
    expect(await statusOf(createTestBrowser(world.services, address), email)).toBe(200);
  });

  test("takes it from a known browser whose whole network guesses at this very account", async () => {
    const { email, address, signIn } = await newTestPerson(world);
    await signIn();
    await guess(email, () => createTestBrowser(world.services, address));
    expect(await statusOf(createTestBrowser(world.services, address), email)).toBe(429);
    expect((await signIn()).status).toBe(200);
  });

  test("takes it from a new browser on the network of whoever guesses, a minute after the last guess", async () => {
    const { email } = await newTestPerson(world);
    const address = newAddress();
    const newBrowser = () => createTestBrowser(world.services, address);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < ATTEMPTS_MAX.accountFromNetwork + 4; attempt++)
      statuses.push(await statusOf(newBrowser(), email, "wrong"));
    expect(statuses.at(-1)).toBe(429);
    const refused = await newBrowser().ask("/sign-in/email", { email, password: PASSWORD });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
    // Simulates that the wait in the response has passed, because the database's clock keeps real time.
    const subject = world.services.vault.derive(
      `attempt:accountFromNetwork slowed:${networkOf(address)}:${email}`,
    );
    const { count } = await world.database.sql`
      update sign_in_attempts set window_ends_at = clock_timestamp() where subject = ${subject}`;
    expect(count).toBe(1);
    expect(await statusOf(newBrowser(), email)).toBe(200);
  });

  test("slows a known browser down, too, that is wrong too often itself", async () => {
    const { email, browser, signIn } = await newTestPerson(world);
    await signIn();
    const statuses = [];
    for (let attempt = 0; attempt < ATTEMPTS_MAX.accountFromPlace + 4; attempt++)
      statuses.push(await statusOf(browser, email, "wrong"));
    expect(statuses).toContain(429);
    // Strangers stay refused, however long the rest of the test takes.
    await world.database.sql`
    update sign_in_attempts set window_ends_at = clock_timestamp() + interval '1 hour'
    where subject = ${world.services.vault.derive(`attempt:account slowed:${email}`)}`;
  });

  test("knows no browser by a cookie that isn't signed, or that is another account's", async () => {
    const [victim, guesser] = [await newTestPerson(world), await newTestPerson(world)];
    await victim.signIn();
    await guesser.signIn();
    await guess(victim.email);
    const theirs = createTestBrowser(world.services, newAddress(), guesser.browser.cookies);
    expect(await statusOf(theirs, victim.email)).toBe(429);
    const device = victim.browser.cookies.get("waypost.device") ?? "";
    const forged = new Map([["waypost.device", `${device.split(".")[0]}.${"A".repeat(43)}`]]);
    expect(await statusOf(createTestBrowser(world.services, newAddress(), forged), victim.email)).toBe(429);
  });

  test("counts guesses with one session together, whichever device it names", async () => {
    const victim = await newTestPerson(world);
    await victim.signIn();
    const statuses: number[] = [];
    while (statuses.length < ATTEMPTS_MAX.accountFromPlace + 4) {
      const own = await newTestPerson(world);
      await own.signIn();
      const cookies = new Map(victim.browser.cookies).set(
        "waypost.device",
        own.browser.cookies.get("waypost.device") ?? "",
      );
      const browser = createTestBrowser(world.services, newAddress(), cookies);
      const guess = { currentPassword: "wrong", newPassword: "another horse battery" };
      statuses.push((await browser.ask("/change-password", guess)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test("takes a new password by a link, and then knows the browser that set it, and no former one", async () => {
    const { email, browser, signIn } = await newTestPerson(world);
    await signIn();
    await guess(email);
    const { token } = await resetPassword({ services: world.services, job: "test", input: { email } });
    const newPassword = "another horse battery";
    const other = elsewhere();
    expect((await other.ask("/reset-password", { token, newPassword })).status).toBe(200);
    expect(await statusOf(other, email, newPassword)).toBe(200);
    const former = createTestBrowser(world.services, newAddress(), browser.cookies);
    expect(await statusOf(former, email, newPassword)).toBe(429);
  });
});

test("who knows the password and guesses at the second factor doesn't refuse its owner", async () => {
  const { email, browser, signIn } = await newTestPerson(world);
  await signIn();
  const { totpUri } = await enableTwoFactor(browser);
  await browser.ask("/sign-out", {});
  const statuses: number[] = [];
  for (let from = 0; from < 5; from++) {
    const guesser = elsewhere();
    expect(await statusOf(guesser, email)).toBe(200);
    for (let attempt = 0; attempt < 4; attempt++)
      statuses.push((await guesser.ask("/two-factor/verify-totp", { code: "000000" })).status);
  }
  expect(statuses.slice(0, ATTEMPTS_MAX.secondFactor)).not.toContain(429);
  expect(statuses.at(-1)).toBe(429);
  expect((await signIn()).status).toBe(200);
  expect((await browser.ask("/two-factor/verify-totp", { code: totpOf(totpUri, 1) })).status).toBe(200);
});

test("the cookie of a browser lasts for long, is for signing in only, and is set for nobody who was refused", async () => {
  const { email, browser, signIn } = await newTestPerson(world);
  const deviceCookie = (setCookies: string[]) => setCookies.find((one) => one.startsWith("waypost.device="));
  expect(deviceCookie((await signIn("wrong")).setCookies)).toBeUndefined();
  const set = deviceCookie((await signIn()).setCookies);
  expect(set).toMatch(/; Max-Age=34560000; Path=\/api\/auth; HttpOnly; SameSite=Lax$/);
  const again = await browser.ask("/sign-in/email", { email, password: PASSWORD });
  expect(deviceCookie(again.setCookies)).toBe(set);
  const rows = await world.database.sql<{ place: string }[]>`
    select place from sign_in_places p join users u on u.id = p.user_id where u.email = ${email}`;
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(/=([^.]+)/.exec(set ?? "")?.[1]);
});

test("of places that an account has signed in from, the latest hundred are kept", async () => {
  const { email } = await newTestPerson(world);
  for (let index = 0; index < 52; index++) expect(await statusOf(elsewhere(), email)).toBe(200);
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::int from sign_in_places p join users u on u.id = p.user_id where u.email = ${email}`;
  expect(row?.count).toBe(100);
});
