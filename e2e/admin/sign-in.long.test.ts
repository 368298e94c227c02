import { randomInt } from "node:crypto";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ATTEMPTS_MAX, SLOWED } from "@/server/domain/auth/attempts";
import { totpOf } from "@/server/domain/auth/totp.fixture";
import { accountPath, confirm, enrol, REFUSED, signedIn, wordsFor } from "./support/account";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { focused, tabTo } from "./support/keyboard";
import type { AdminPage } from "./support/open-page";
import { type Person, typeSignIn } from "./support/sign-in";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

describe("signing in", () => {
  test("says the same of a wrong password and of an address that nobody has, and keeps what was typed", async () => {
    const person = await world.addMember("agent");
    const { page, go, close } = await world.visit(REFUSED);
    await go("/sign-in");
    const wrong = await wordsFor(page, { ...person, password: "not the password" });
    expect(wrong).toContain("The email address or password is wrong.");
    expect(await page.getByRole("textbox", { name: "Email address" }).inputValue()).toBe(person.email);
    await page.reload();
    expect(await wordsFor(page, { email: "nobody@example.com", password: "not the password" })).toBe(wrong);
    await close();
  });

  test("is limited for an account and for an address that has none, with the same words", async () => {
    const person = await world.addMember("agent");
    const { page, go, close } = await world.visit(REFUSED);
    const reported: string[] = [];
    for (const email of [person.email, `nobody-${randomInt(2 ** 40)}@example.com`]) {
      await go("/sign-in");
      const origin = world.server.baseUrl;
      const max = ATTEMPTS_MAX.accountFromNetwork + SLOWED.accountFromNetwork.max;
      for (let attempt = 1; attempt < max; attempt += 1) {
        const { status } = await page.request
          .post(`${origin}/api/auth/sign-in/email`, {
            data: { email, password: "not the password" },
            headers: { Origin: origin },
          })
          .then((response) => ({ status: response.status() }));
        expect(status).toBe(401);
      }
      expect(await wordsFor(page, { email, password: "not the password" })).toContain("is wrong");
      await go("/sign-in");
      reported.push(await wordsFor(page, { email, password: person.password }));
    }
    expect(reported[0]).toMatch(/There were too many attempts\. Try again in 1 minute\./);
    expect(reported[1]).toBe(reported[0]);
    await close();
  });

  test("is done by the keyboard alone", async () => {
    const person = await world.addMember("agent");
    const { page, go, close } = await world.visit();
    await go("/sign-in");
    await focused(page.getByRole("textbox", { name: "Email address" }));
    await page.keyboard.type(person.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/o\//);
    await tabTo(page, page.getByRole("button", { name: "Your account" }));
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await focused(page.getByRole("menuitem", { name: "Account and security" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Account and security" }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "Turn on" }));
    await page.keyboard.press("Enter");
    await focused(page.locator("input[name=current-password]").last());
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    const secret = await page.getByText("Or enter this setup key in the app").locator("code").innerText();
    await focused(page.getByRole("textbox", { name: "Six-digit code" }));
    await page.keyboard.type(totpOf(`otpauth://totp/Waypost?secret=${secret}`));
    await page.keyboard.press("Enter");
    const kept = page.getByRole("button", { name: "I have saved them" });
    await tabTo(page, kept);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "New recovery codes" }).waitFor();
    expect(await kept.count()).toBe(0);
    await close();
  });
});

describe("two-factor sign-in", () => {
  test("asks for the app's code, or for a recovery code, which works once", async () => {
    const person = await world.addMember("agent");
    const { page, go, close } = await signedIn(world, person);
    await go(accountPath(world));
    await page.getByRole("button", { name: "Turn on" }).click();
    await confirm(page, "not the password", "Set up the app");
    await page.getByText("The password is wrong").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    const { uri, codes } = await enrol(page, person.password);
    expect(codes.length).toBeGreaterThanOrEqual(8);
    await page.getByText("on", { exact: true }).waitFor();
    await page.getByRole("button", { name: "I have saved them" }).click();
    await page.getByRole("button", { name: "New recovery codes" }).waitFor();
    expect(await page.content()).not.toContain(codes[0]);

    const [code = ""] = codes;
    const byApp = await secondFactor(person);
    await byApp.page.getByRole("textbox", { name: "Six-digit code" }).fill("000000");
    await byApp.page.getByRole("button", { name: "Sign in" }).click();
    await byApp.page.getByText("The code is wrong or was already used").waitFor();
    await byApp.page.getByRole("button", { name: "Use a recovery code instead" }).click();
    await byApp.page.getByRole("textbox", { name: "Recovery code" }).waitFor();
    expect(await byApp.page.getByText("The code is wrong").count()).toBe(0);
    await byApp.page.getByRole("button", { name: "Use the code from the app instead" }).click();
    await byApp.page.getByRole("textbox", { name: "Six-digit code" }).fill(totpOf(uri, 1));
    await byApp.page.getByRole("button", { name: "Sign in" }).click();
    await byApp.page.waitForURL(/\/o\//);
    await byApp.close();

    const byCode = await secondFactor(person);
    await enterRecovery(byCode.page, code);
    await byCode.page.waitForURL(/\/o\//);
    await byCode.close();
    const again = await secondFactor(person);
    await enterRecovery(again.page, code);
    await again.page.getByText("The code is wrong or was already used").waitFor();
    await again.close();

    await page.getByRole("button", { name: "Turn off" }).click();
    await confirm(page, person.password, "Turn it off");
    await page.getByRole("button", { name: "Turn on" }).waitFor();
    await (await signedIn(world, person)).close();
    await close();
  });

  async function secondFactor(person: Person): Promise<AdminPage> {
    const visitor = await world.visit(REFUSED);
    await visitor.go("/sign-in");
    await typeSignIn(visitor.page, person);
    await visitor.page.getByRole("heading", { name: "Enter the code from your app" }).waitFor();
    return visitor;
  }

  async function enterRecovery(page: Page, code: string): Promise<void> {
    await page.getByRole("button", { name: "Use a recovery code instead" }).click();
    await page.getByRole("textbox", { name: "Recovery code" }).fill(code);
    await page.getByRole("button", { name: "Sign in" }).click();
  }
});
