import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetPasswordLink } from "@/e2e/support/cli";
import { accountPath, confirm, enrol, REFUSED, signedIn, wordsFor } from "./support/account";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { faultsInEachForm } from "./support/forms";
import { tabTo } from "./support/keyboard";
import { signInAs, typeSignIn } from "./support/sign-in";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const NEW_PASSWORD = "another horse battery";

describe("sign-ins", () => {
  test("are listed, and one that is ended is out at its next step, but keeps the form that is filled", async () => {
    const person = await world.addMember("agent");
    const other = await signedIn(world, person);
    const { page, go, close } = await signedIn(world, person);
    await go(accountPath(world));
    const rows = page.getByRole("table", { name: "Sessions" }).locator("tbody").getByRole("row");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: /^End the session of/ }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText("You aren’t signed in anywhere else").waitFor();
    await other.page.getByRole("heading", { name: "Sign in" }).waitFor();

    await signInAs(other.page, person);
    await other.go(accountPath(world));
    const name = other.page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Grace");
    await page.reload();
    await tabTo(page, page.getByRole("button", { name: "End all other sessions" }));
    await page.keyboard.press("Enter");
    await page.getByText("You aren’t signed in anywhere else").waitFor();
    await other.page.getByRole("button", { name: "Save" }).click();
    await other.page.getByText("You have been signed out").waitFor();
    await other.page.getByText("press “Save” again").waitFor();
    expect(await name.inputValue()).toBe("Grace");
    const tab = await other.page.context().newPage();
    await tab.goto(`${world.server.baseUrl}/sign-in`);
    await signInAs(tab, person);
    await tab.close();
    await other.page.getByRole("button", { name: "Save" }).click();
    await other.page.getByText("Your name was changed").waitFor();
    await other.close();
    await close();
  });

  test("end everywhere else when the password is changed, and only the new one works", async () => {
    const person = await world.addMember("agent");
    const other = await signedIn(world, person);
    const { page, go, close } = await signedIn(world, person);
    await go(accountPath(world));
    const [present, next] = [page.getByLabel("Current password"), page.getByLabel("New password")];
    const change = page.getByRole("button", { name: "Change password" });
    await present.fill("not the password");
    await next.fill(NEW_PASSWORD);
    await change.click();
    await page.getByText("The password is wrong").waitFor();
    expect(await next.inputValue()).toBe(NEW_PASSWORD);
    await present.fill(person.password);
    await next.fill("short");
    await change.click();
    await page.getByText("Must have at least 12 characters").waitFor();
    await next.fill(NEW_PASSWORD);
    await change.click();
    await page.getByText("Your password was changed").waitFor();
    await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await wordsFor(other.page, person)).toContain("is wrong");
    await signInAs(other.page, { ...person, password: NEW_PASSWORD });
    await other.close();
    await close();
  });

  test("end when the password is set by the operator's link, which works once", async () => {
    const person = await world.addMember("agent");
    const link = await resetPasswordLink(world.server, person.email);
    const before = await signedIn(world, person);
    const { page, close } = await world.visit(REFUSED);
    await page.goto(link);
    const field = page.locator("input[name=password]");
    await field.fill("short");
    expect(page.url()).not.toContain("#");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Must have at least 12 characters").waitFor();
    expect(await field.inputValue()).toBe("short");
    await field.fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "Your new password is set" }).waitFor();
    await before.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await before.close();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signInAs(page, { ...person, password: NEW_PASSWORD });
    await close();

    const late = await world.visit(REFUSED);
    await late.page.goto(link);
    await late.page.locator("input[name=password]").fill("a third horse battery");
    await late.page.getByRole("button", { name: "Set password" }).click();
    await late.page.getByText("The link is wrong, was already used, was withdrawn or has expired").waitFor();
    await late.close();
  });
});

test("one's own name is changed, and one that is none stays to be corrected", async () => {
  const { page, go, close } = await world.open(await world.addMember("agent"), REFUSED);
  await go("/account");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill(" ");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await name.fill("Grace");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your name was changed").waitFor();
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menu").getByText("Grace").waitFor();
  await close();
});

test("axe finds nothing wrong with the pages, whatever they show", async () => {
  const person = await world.addMember("agent");
  const { page, go, close } = await world.visit(REFUSED);
  const found: Record<string, readonly string[]> = {};
  await go("/sign-in");
  await wordsFor(page, { ...person, password: "not the password" });
  found["sign-in"] = await faultsInEachForm(page);
  await signInAs(page, person);
  await go(accountPath(world));
  await page.getByRole("table", { name: "Sessions" }).waitFor();
  found["account"] = await faultsInEachForm(page);
  await page.getByRole("button", { name: "Turn on" }).click();
  await confirm(page, person.password, "Set up the app");
  await page.getByText("Scan this QR code with an authenticator app").waitFor();
  found["enrolment"] = await faultsInEachForm(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await enrol(page, person.password);
  found["recovery codes"] = await faultsInEachForm(page);
  const other = await world.visit(REFUSED);
  await other.go("/sign-in");
  await typeSignIn(other.page, person);
  await other.page.getByRole("heading", { name: "Enter the code from your app" }).waitFor();
  found["second factor"] = await faultsInEachForm(other.page);
  await other.page.goto(await resetPasswordLink(world.server, person.email));
  await other.page.getByRole("heading", { name: "Set a new password" }).waitFor();
  found["reset-password"] = await faultsInEachForm(other.page);
  expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([]);
  await other.close();
  await close();
});
