import { randomInt } from "node:crypto";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeMember } from "@/server/domain/members/remove";
import { inviteMember } from "@/server/domain/members/invite";
import { asMember } from "@/server/domain/organizations/testing";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { refused } from "./support/guard";
import { enter, focused } from "./support/keyboard";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const newAddress = () => `invited-${randomInt(2 ** 47)}@example.com`;
const shownLink = (page: Page) => page.getByRole("textbox", { name: "Invitation link" });
const linkOf = (token: string) => `${world.server.baseUrl}/invitation#${token}`;

const invite = (email: string) => inviteMember({ ctx: world.ctx, input: { email, role: "agent" } });

test("a pending invitation gets a new link, which isn’t lost before it was copied; the one before ends", async () => {
  const email = newAddress();
  const { token } = await invite(email);
  const { page, go, close } = await world.open(world.owner);
  await go("/members");
  await page.keyboard.press("Tab");
  await focused(page.getByRole("link", { name: "Skip to content" }));
  await page.keyboard.press("Enter");
  await focused(page.getByRole("main"));
  await page.keyboard.press("Tab");
  await focused(page.getByRole("button", { name: "Invite a member" }));
  await page.getByRole("button", { name: `New link for ${email}` }).click();
  await page.getByRole("button", { name: "Create new link" }).click();
  const link = await shownLink(page).inputValue();
  await page.keyboard.press("Escape");
  await page.getByText("The link wasn’t copied").waitFor();
  expect(await shownLink(page).inputValue()).toBe(link);
  await page.getByRole("button", { name: "Close without the link" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: `New link for ${email}` }).count()).toBe(1);
  await close();

  const maker = await asMember(world.ctx, "admin");
  const orphan = await inviteMember({ ctx: maker, input: { email: newAddress(), role: "agent" } });
  await removeMember({ ctx: world.ctx, input: { memberId: maker.actor.memberId } });

  const guest = await world.visit({ expects: refused("404 members.openInvitation") });
  await guest.page.goto(linkOf(token));
  await guest.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
  await guest.page.goto(linkOf(orphan.token));
  await guest.page.getByText("the person who created it can no longer invite people").waitFor();
  await guest.page.getByText("Ask an owner or admin of the organization").waitFor();
  await guest.page.goto(link);
  await focused(guest.page.getByRole("textbox", { name: "Your name" }));
  await guest.close();
});

test("who has joined and couldn’t be signed in is led to the form, not to a link that is used up", async () => {
  const email = newAddress();
  const { token } = await invite(email);
  const { page, close } = await world.visit({ expects: refused("503 /api/auth/sign-in/email") });
  await page.route("**/api/auth/sign-in/email", (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.goto(linkOf(token));
  // With the keyboard only.
  await focused(page.getByRole("textbox", { name: "Your name" }));
  await page.keyboard.type("Ada New");
  await page.keyboard.press("Tab");
  await page.keyboard.type("correct horse battery");
  await enter(page, page.getByRole("button", { name: /^Join/ }));
  await page.getByRole("heading", { name: "Your account was created" }).waitFor();
  await page.unroute("**/api/auth/sign-in/email");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("textbox", { name: "Email address" }).fill(email);
  await page.locator("input[name=password]").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(new RegExp(`/o/${world.demo.organization_id}/messages`));
  expect(page.url()).not.toContain("#");
  await close();
});
