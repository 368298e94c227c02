import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { refused } from "./support/guard";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const rows = (page: Page) => page.getByRole("table", { name: "API keys" }).getByRole("row");

test("a list longer than a page goes back and forth, its place outlives a reload, and a new key stands first", async () => {
  await world.services.sql`
      insert into api_keys (id, organization_id, name, scopes, send_limit, read_limit, expires_at)
      select ('0190' || substr(gen_random_uuid()::text, 5))::uuid, ${world.ctx.actor.organizationId}, 'Key ' || i,
        array['messages:send'], 60, 600, now() + interval '30 days 1 hour'
      from generate_series(1, 120) i`;
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 keys.list") });
  await go("/keys");
  await expect.poll(() => rows(page).count()).toBe(101);
  await page.getByRole("button", { name: "Older" }).click();
  await rows(page).nth(100).waitFor({ state: "detached" });
  await rows(page).nth(1).waitFor();
  const [shown = ""] = await rows(page).nth(1).getByRole("rowheader").allTextContents();
  // For screen readers; otherwise it is visible on hover only.
  const expiry = rows(page).nth(1).getByRole("time");
  expect(await expiry.textContent()).toMatch(/^in 30 days, \d+ \p{L}+ \d{4}.* \d\d:\d\d:\d\d UTC$/u);
  await page.reload();
  await rows(page).getByRole("link", { name: shown, exact: true }).waitFor();
  await page.goBack();
  await expect.poll(() => rows(page).count()).toBe(101);
  await page.goForward();
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Newest of all");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Copy: Secret" }).click();
  await page.getByRole("button", { name: "Copied: Secret" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await rows(page).nth(1).getByRole("link", { name: "Newest of all" }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await go("/keys?show=all&after=cut");
  await page.getByText("That page of the list no longer exists. This is the first page.").waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?show=all");
  await close();
});
