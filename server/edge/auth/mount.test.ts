import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetPassword } from "@/server/domain/members/reset-password";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { ATTEMPTS_MAX, SLOWED } from "@/server/domain/auth/attempts";
import { personOf } from "@/server/domain/auth/session";
import { createTestBrowser, newTestPerson, PASSWORD } from "@/server/domain/auth/testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

const newPerson = () => newTestPerson(world);

/** Number of failed attempts at one account that an unknown network may make before it has to wait. */
const LET_THROUGH = ATTEMPTS_MAX.accountFromNetwork + SLOWED.accountFromNetwork.max;

const asText = (value: unknown) => JSON.stringify(value);

describe("signing in", () => {
  test("by address, in any case, and password gives a session in a cookie, and its token nowhere else", async () => {
    const { email, browser, who, acts } = await newPerson();
    const { status, body, setCookies } = await browser.ask("/sign-in/email", {
      email: ` ${email.toUpperCase()}`,
      password: PASSWORD,
    });
    expect({ status, body }).toEqual({ status: 200, body: { needsSecondFactor: false } });
    expect(setCookies.join()).toMatch(/HttpOnly/i);
    expect(setCookies.join()).toMatch(/SameSite=Lax/i);
    expect(await who()).toMatchObject({ email, name: "Ada", hasTwoFactor: false });
    expect(await acts()).toEqual(["member.signed_in"]);
  });

  test("tells nothing of whether an address has an account", async () => {
    const { signIn, browser } = await newPerson();
    const known = await signIn("not the password");
    const unknown = await browser.ask("/sign-in/email", { email: "nobody@example.com", password: PASSWORD });
    expect(known.status).toBe(401);
    expect(asText(unknown.body)).toBe(asText(known.body));
    expect(unknown.setCookies).toEqual(known.setCookies);
  });

  test("makes a network wait after so many wrong passwords, for the right one too, and its owner elsewhere isn't shut out", async () => {
    const { email, signIn } = await newPerson();
    const [guesser, neighbour] = ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2"].map((address) =>
      createTestBrowser(world.services, address),
    );
    for (let attempt = 0; attempt < LET_THROUGH; attempt++)
      expect((await guesser?.ask("/sign-in/email", { email, password: "wrong" }))?.status).toBe(401);
    expect((await neighbour?.ask("/sign-in/email", { email, password: PASSWORD }))?.status).toBe(429);
    expect((await signIn()).status).toBe(200);
  });

  test("counts at the account that is tried, whoever is signed in meanwhile", async () => {
    const [victim, guesser] = [await newPerson(), await newPerson()];
    await guesser.signIn();
    const statuses = [];
    for (let attempt = 0; attempt <= LET_THROUGH; attempt++) {
      const guess = { email: victim.email, password: "wrong" };
      statuses.push((await guesser.browser.ask("/sign-in/email", guess)).status);
    }
    expect(statuses.slice(-2)).toEqual([401, 429]);
    expect((await guesser.browser.ask("/two-factor/enable", { password: PASSWORD })).status).toBe(200);
  });

  test("isn't limited for whoever is right", async () => {
    const { signIn } = await newPerson();
    for (let attempt = 0; attempt < LET_THROUGH + 2; attempt++) {
      expect((await signIn()).status).toBe(200);
    }
  });
});

describe("a request that isn't a page's", () => {
  test.each([
    ["from another site", { origin: "https://evil.example" }],
    ["from another port", { origin: "http://waypost.example:8080" }],
    ["from nowhere", { origin: "null" }],
  ])("%s is refused", async (_, headers) => {
    const { email, browser, who } = await newPerson();
    const answer = await browser.ask("/sign-in/email", { email, password: PASSWORD }, headers);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "cross_site_request" } } });
    expect(await who()).toBeNull();
  });

  test.each([
    "/sign-up/email",
    "/list-sessions",
    "/get-session",
    "/update-user",
    "/delete-user",
    "/request-password-reset",
    "/two-factor/get-totp-uri",
    "/ok",
    "/",
    "/__proto__",
    "/toString",
  ])("%s of better-auth isn't there", async (path) => {
    const browser = createTestBrowser(world.services);
    expect(
      await browser.ask(path, { email: "eve@example.com", password: PASSWORD, name: "Eve" }),
    ).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  });

  test.each([
    ["email", { email: "ada", password: "x" }],
    ["password", { email: "ada@example.com" }],
    ["callbackURL", { email: "ada@example.com", password: "x", callbackURL: "https://evil.example" }],
  ])("with a wrong %s is told so by its field", async (field, body) => {
    const answer = await createTestBrowser(world.services).ask("/sign-in/email", body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "validation_failed", field } } });
  });
});

describe("a new password", () => {
  test("by the present one ends all other sign-ins", async () => {
    const { browser, signIn, email, who, acts } = await newPerson();
    await signIn();
    const elsewhere = createTestBrowser(world.services);
    await elsewhere.ask("/sign-in/email", { email, password: PASSWORD });
    const change = { currentPassword: PASSWORD, newPassword: "another horse battery" };
    expect((await browser.ask("/change-password", change)).status).toBe(200);
    expect(await who()).not.toBeNull();
    expect(await personOf(world.services, elsewhere.headers(), null)).toBeNull();
    expect((await signIn()).status).toBe(401);
    expect((await signIn(change.newPassword)).status).toBe(200);
    expect(await acts()).toContain("member.password_changed");
  });

  test("by an operator's link works once, ends all sign-ins, and is in no row of the database as it is", async () => {
    const { browser, signIn, email, who, acts } = await newPerson();
    await signIn();
    const { token } = await resetPassword({ services: world.services, job: "test", input: { email } });
    const [stored] = await world.database.sql<{ text: string }[]>`
      select string_agg(v::text, '') as text from verifications v`;
    expect(stored?.text).not.toContain(token);
    const set = () => browser.ask("/reset-password", { token, newPassword: "a third horse battery" });
    expect((await set()).status).toBe(200);
    expect(await who()).toBeNull();
    expect(await set()).toMatchObject({ status: 404, body: { error: { code: "link_invalid" } } });
    expect((await signIn("a third horse battery")).status).toBe(200);
    expect(await acts()).toContain("member.password_changed");
  });

  test("by a link is set by the last that was made", async () => {
    const { browser, email } = await newPerson();
    const make = () => resetPassword({ services: world.services, job: "test", input: { email } });
    const [former, last] = [await make(), await make()];
    const set = ({ token }: { token: string }) =>
      browser.ask("/reset-password", { token, newPassword: "a third horse battery" });
    expect(await set(former)).toMatchObject({ status: 404, body: { error: { code: "link_invalid" } } });
    expect((await set(last)).status).toBe(200);
  });

  test("that is too short is told so by its field", async () => {
    const { browser, signIn } = await newPerson();
    await signIn();
    const answer = await browser.ask("/change-password", { currentPassword: PASSWORD, newPassword: "short" });
    expect(answer).toMatchObject({ status: 400, body: { error: { field: "newPassword" } } });
  });

  test("that others would try first is refused at its field, by the present one and by a link", async () => {
    const { browser, signIn, email } = await newPerson();
    await signIn();
    const { token } = await resetPassword({ services: world.services, job: "test", input: { email } });
    const name = email.split("@")[0] ?? "";
    for (const [newPassword, words] of [
      ["Password2026!", "easy to guess"],
      [`my ${name.toUpperCase()} horse`, name],
      ["the waypost of the horse", "waypost"],
    ] as const) {
      for (const [path, body] of [
        ["/change-password", { currentPassword: PASSWORD, newPassword }],
        ["/reset-password", { token, newPassword }],
      ] as const) {
        const answer = await browser.ask(path, body);
        expect(answer).toMatchObject({ status: 400, body: { error: { field: "newPassword" } } });
        expect(JSON.stringify(answer.body)).toContain(words);
      }
    }
    expect((await browser.ask("/reset-password", { token, newPassword: "a fine horse" })).status).toBe(200);
  });

  test("isn't set without a session", async () => {
    const change = { currentPassword: PASSWORD, newPassword: "another horse battery" };
    expect(await createTestBrowser(world.services).ask("/change-password", change)).toMatchObject({
      status: 401,
      body: { error: { code: "not_signed_in" } },
    });
  });
});
