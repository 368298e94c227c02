import { randomInt } from "node:crypto";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMember } from "@/server/domain/members/create";
import { createOrganization } from "@/server/domain/organizations/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { faultsInEachForm } from "./support/forms";
import { refused } from "./support/guard";
import { chooseItem, enter, focused, tabTo } from "./support/keyboard";
import { row } from "./support/parts";
import { REFUSED } from "./support/members";
import { signInAs, typeSignIn } from "./support/sign-in";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const PASSWORD = "correct horse battery";
const newAddress = () => `somebody-${randomInt(2 ** 47)}@example.com`;

async function invite(page: Page, email: string, role = "Agent"): Promise<string> {
  await page.getByRole("button", { name: "Invite a member" }).click();
  await page.getByRole("textbox", { name: "Email address" }).fill(email);
  await page.getByRole("radio", { name: role }).check();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByRole("textbox", { name: "Invitation link" }).inputValue();
  await copyAndClose(page);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return link;
}

async function copyAndClose(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Copy: Invitation link" }).click();
  await page.getByRole("button", { name: "Copied: Invitation link" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
}

/** Opens a member's menu, and chooses an item. */
async function act(page: Page, name: string, what: "Role and permissions" | "Remove"): Promise<void> {
  await page.getByRole("button", { name: `Change ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: what }).click();
  await page.getByRole("dialog").waitFor();
}

/** A member with a unique name. */
async function newMember(role: "owner" | "admin" | "agent") {
  const name = `Member ${randomInt(2 ** 40)}`;
  const person = { email: newAddress(), password: PASSWORD };
  await createMember({ ctx: world.ctx, input: { ...person, name, role, permissions: [] } });
  return { ...person, name };
}

test("somebody new joins by a link, once", async () => {
  const { page, go, close } = await world.open(world.owner, REFUSED);
  const email = newAddress();
  await go("/members");
  await page.getByRole("button", { name: "Invite a member" }).click();
  await page.getByRole("textbox", { name: "Email address" }).fill("no address");
  await page.getByRole("radio", { name: "Admin" }).check();
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("Must be an email address").waitFor();
  expect(await page.getByRole("textbox", { name: "Email address" }).inputValue()).toBe("no address");
  expect(await page.getByRole("radio", { name: "Admin" }).isChecked()).toBe(true);
  await page.keyboard.press("Escape");
  const link = await invite(page, email, "Admin");
  await row(page, email).waitFor();

  const guest = await world.visit(REFUSED);
  await guest.page.goto(link);
  await guest.page.getByText("You were invited as an admin").waitFor();
  expect(guest.page.url()).not.toContain("#");
  await guest.page.getByRole("textbox", { name: "Your name" }).fill("Ada New");
  await guest.page.locator("input[name=password]").fill("short");
  await guest.page.getByRole("button", { name: /^Join/ }).click();
  await guest.page.getByText("Must have at least 12 characters").waitFor();
  expect(await guest.page.getByRole("textbox", { name: "Your name" }).inputValue()).toBe("Ada New");
  await guest.page.locator("input[name=password]").fill(PASSWORD);
  await guest.page.getByRole("button", { name: /^Join/ }).click();
  await guest.page.waitForURL(/\/o\/[^/]+\/messages/);
  await guest.page.getByRole("link", { name: "Members" }).waitFor();

  const late = await world.visit(REFUSED);
  await late.page.goto(link);
  await late.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  await page.reload();
  await row(page, "Ada New").waitFor();
  expect(await page.getByRole("table", { name: "Invitations" }).count()).toBe(0);
  for (const { close: end } of [guest, late]) await end();
  await close();
});

test("who has an account joins with it, and goes from one organization to the other", async () => {
  const other = `Other ${randomInt(2 ** 40)}`;
  const { ctx } = await createOrganization({
    services: world.services,
    job: "test",
    input: { name: other },
  });
  const person = { email: newAddress(), password: PASSWORD };
  await createMember({ ctx, input: { ...person, name: "Bo Both", role: "agent", permissions: [] } });
  const { page, go, close } = await world.open(world.owner, REFUSED);
  await go("/members");
  const link = await invite(page, person.email);

  const guest = await world.visit(REFUSED);
  await guest.page.goto(link);
  await guest.page.getByText("There is already an account with this address").waitFor();
  expect(await guest.page.getByRole("textbox", { name: "Email address" }).inputValue()).toBe(person.email);
  await typeSignIn(guest.page, { ...person, password: "not the password" });
  await guest.page.getByText("The email address or password is wrong").waitFor();
  await typeSignIn(guest.page, person);
  await guest.page.getByRole("button", { name: /^Join/ }).click();
  await guest.page.waitForURL(new RegExp(`/o/${world.demo.organization_id}/messages`));
  await enter(guest.page, guest.page.getByRole("button", { name: /^Organization:/ }));
  await chooseItem(guest.page, other);
  await guest.page.waitForURL(new RegExp(`/o/${ctx.actor.organizationId}/messages`));
  await guest.page.getByRole("button", { name: `Organization: ${other}` }).waitFor();
  await guest.close();
  await close();
});

test("an invitation that is withdrawn can’t be taken up, nor is a member invited again", async () => {
  const { page, go, close } = await world.open(world.owner, REFUSED);
  await go("/members");
  const email = newAddress();
  const link = await invite(page, email);
  await page.getByRole("button", { name: `Withdraw the invitation for ${email}` }).click();
  await row(page, email).waitFor({ state: "detached" });
  const guest = await world.visit(REFUSED);
  await guest.page.goto(link);
  await guest.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  await guest.close();
  await page.getByRole("button", { name: "Invite a member" }).click();
  const address = page.getByRole("textbox", { name: "Email address" });
  await address.fill(world.owner.email);
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("Already belongs to a member").waitFor();
  expect(await address.inputValue()).toBe(world.owner.email);
  await close();
});

test("an agent manages keys once that was granted, and not before", async () => {
  const agent = await newMember("agent");
  const theirs = await world.open(agent, REFUSED);
  await theirs.go("/keys");
  await theirs.page.getByText("You don’t have access to this page").waitFor();
  expect(await theirs.page.getByRole("link", { name: "API keys" }).count()).toBe(0);

  const { page, go, close } = await world.open(world.owner);
  await go("/members");
  await act(page, agent.name, "Role and permissions");
  await page.getByRole("checkbox", { name: /API keys/i }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await row(page, agent.name).getByText("and can").waitFor();

  await theirs.page.reload();
  await theirs.page.getByRole("link", { name: "API keys" }).waitFor();
  await theirs.page.getByRole("button", { name: "Create a key" }).first().waitFor();
  expect(await theirs.page.getByText("You don’t have access to this page").count()).toBe(0);
  await theirs.close();
  await close();
});

test("a member who is removed is shut out of the page that is open, and told where they stand", async () => {
  const agent = await newMember("agent");
  const theirs = await world.open(agent, { expects: refused("404 *", "404 /o/*/messages") });
  await theirs.go("/messages");
  await theirs.page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
  const { page, go, close } = await world.open(world.owner);
  await go("/members");
  await act(page, agent.name, "Remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row(page, agent.name).waitFor({ state: "detached" });
  await theirs.page.getByRole("heading", { name: "You aren’t a member of any organization" }).waitFor();
  const faults = await faultsInEachForm(theirs.page);
  expect(await theirs.page.getByText(`You are signed in as ${agent.email}`).count()).toBe(1);
  await theirs.go("/messages");
  await theirs.page.getByText("There is no page at this URL").waitFor();
  expect([...faults, ...(await faultsInEachForm(theirs.page))]).toEqual([]);
  await theirs.page.getByRole("link", { name: "start page" }).click();
  await theirs.page.getByRole("button", { name: "Sign out" }).click();
  await theirs.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await theirs.close();
  await close();
});

test("the last owner neither goes nor steps down, and an admin doesn’t touch owners", async () => {
  const { page, go, close } = await world.open(world.owner, REFUSED);
  await go("/members");
  const name = await page
    .getByRole("row")
    .filter({ hasText: world.owner.email })
    .getByRole("button")
    .getAttribute("aria-label");
  const owner = (name ?? "").replace("Change ", "");
  await act(page, owner, "Remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("An organization needs at least one owner").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await act(page, owner, "Role and permissions");
  await page.getByRole("radio", { name: "Agent" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("An organization needs at least one owner").waitFor();
  expect(await page.getByRole("radio", { name: "Agent" }).isChecked()).toBe(true);
  await close();

  const admin = await newMember("admin");
  const theirs = await world.open(admin);
  await theirs.go("/members");
  await row(theirs.page, admin.name).waitFor();
  expect(await theirs.page.getByRole("button", { name: `Change ${owner}`, exact: true }).count()).toBe(0);
  await theirs.page.getByRole("button", { name: "Invite a member" }).click();
  await theirs.page.getByRole("radio", { name: "Admin" }).waitFor();
  expect(await theirs.page.getByRole("radio", { name: "Owner" }).count()).toBe(0);
  await theirs.close();
});

test("it is done by the keyboard alone, and the focus comes back to where it was", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/members");
  const opener = page.getByRole("button", { name: "Invite a member" });
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  await focused(page.getByRole("textbox", { name: "Email address" }));
  const email = newAddress();
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Copy: Invitation link" }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied: Invitation link" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await focused(opener);
  await tabTo(page, page.getByRole("button", { name: `Withdraw the invitation for ${email}` }));
  await page.keyboard.press("Enter");
  await row(page, email).waitFor({ state: "detached" });
  await close();

  const guest = await world.visit(REFUSED);
  await guest.page.goto(link);
  await guest.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  await tabTo(guest.page, guest.page.getByRole("link", { name: "Sign in" }));
  await guest.page.keyboard.press("Enter");
  await guest.page.getByRole("textbox", { name: "Email address" }).waitFor();
  await tabTo(guest.page, guest.page.getByRole("textbox", { name: "Email address" }));
  await guest.page.keyboard.type(world.owner.email);
  await guest.page.keyboard.press("Tab");
  await guest.page.keyboard.type(world.owner.password);
  await guest.page.keyboard.press("Enter");
  await guest.page.waitForURL(/\/o\//);
  expect(guest.page.url()).toContain(world.demo.organization_id);
  await guest.close();
});

test("axe finds nothing wrong with the page, its dialogs, and an invitation", async () => {
  const { name, email } = await newMember("agent");
  const { page, go, close } = await world.open(world.owner, REFUSED);
  const found: Record<string, readonly string[]> = {};
  await go("/members");
  await row(page, name).waitFor();
  found["list"] = await faultsInEachForm(page);
  await page.getByRole("button", { name: "Invite a member" }).click();
  await page.getByRole("textbox", { name: "Email address" }).fill("no address");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("Must be an email address").waitFor();
  found["invite"] = await faultsInEachForm(page);
  await page.getByRole("textbox", { name: "Email address" }).fill(newAddress());
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByRole("textbox", { name: "Invitation link" }).inputValue();
  found["link"] = await faultsInEachForm(page);
  await copyAndClose(page);
  for (const what of ["Role and permissions", "Remove"] as const) {
    await act(page, name, what);
    found[what] = await faultsInEachForm(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  const guest = await world.visit(REFUSED);
  await guest.page.goto(link);
  await guest.page.getByRole("textbox", { name: "Your name" }).waitFor();
  found["invitation"] = await faultsInEachForm(guest.page);
  await guest.page.goto(link.replace(/#.*/, "#none"));
  await guest.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  found["dead link"] = await faultsInEachForm(guest.page);
  await guest.page.getByRole("link", { name: "Sign in" }).click();
  await signInAs(guest.page, { email, password: PASSWORD });
  await guest.close();
  expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([]);
  await close();
});
