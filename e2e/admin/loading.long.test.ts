import type { Page, Route } from "playwright";
import { expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { ensureContact } from "@/server/domain/contacts/ensure";
import { refused } from "./support/guard";
import { row } from "./support/parts";
import { newNumber } from "./support/send";
import { useSuite } from "./support/suite";

const suite = useSuite();

/** A customer with a name of their own. */
const customer = (name: string) =>
  ensureContact({ ctx: suite().world.ctx, input: { handle: newNumber("90001"), name } });

/** The browser's console errors when the list is refused, and when it can't be rendered. */
const UNREADABLE = new RegExp(`${refused("500 contacts.search").source}|RangeError: Invalid time value`);
const FAILED = { error: { code: "internal_error", message: "Something went wrong on our side." } };

/** Holds the page's requests, each of which the test answers. @returns a function that takes the next one. */
async function holdRequests(page: Page, path: RegExp): Promise<() => Promise<Route>> {
  const held: Route[] = [];
  await page.route(path, (route) => void held.push(route));
  return () => until("the page asks", () => held.shift());
}

test("a list is outlined until it is there, and asked for again where it failed or can’t be drawn", async () => {
  const { world } = suite();
  await customer("Late Comer");
  const { page, go, close } = await world.open(world.owner, { expects: UNREADABLE });
  const asked = await holdRequests(page, /contacts\.search/);
  const outline = page.getByRole("status", { name: "Loading" });
  const again = page.getByRole("button", { name: "Try again" });
  await go("/contacts");
  await outline.waitFor();
  await (await asked()).fulfill({ status: 500, json: FAILED });
  await page.getByRole("alert").getByText("Something went wrong on our side.").waitFor();
  await again.click();
  await outline.waitFor();
  const spoilt = await asked();
  const response = await spoilt.fetch();
  const body = (await response.text()).replaceAll(/"createdAt":"[^"]*"/g, '"createdAt":"no time"');
  await spoilt.fulfill({ response, body });
  await page.getByRole("heading", { name: "This page couldn’t be loaded" }).waitFor();
  await again.click();
  await (await asked()).continue();
  await expect.poll(() => row(page, "Late Comer").count()).toBe(1);
  await close();
});

test("a contact’s page has its title before the contact is there, and if it can’t be read", async () => {
  const { world } = suite();
  const { contactId } = await customer("Latest Comer");
  const expects = refused("500 contacts.inspect");
  const { page, go, close } = await world.open(world.owner, { expects });
  const asked = await holdRequests(page, /contacts\.inspect/);
  const title = page.getByRole("heading", { level: 1 });
  await go(`/contacts/${contactId}`);
  const first = await asked();
  expect(await title.allInnerTexts()).toEqual(["Contact"]);
  await first.fulfill({ status: 500, json: FAILED });
  await page.getByRole("alert").getByText("Something went wrong on our side.").waitFor();
  expect(await title.allInnerTexts()).toEqual(["Contact"]);
  await page.unroute(/contacts\.inspect/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => title.allInnerTexts()).toEqual(["Latest Comer"]);
  await close();
});
