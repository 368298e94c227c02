import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { revokeKey } from "@/server/domain/keys/revoke";
import { setKey } from "@/server/domain/keys/set";
import { openConversation } from "@/server/domain/messages/testing";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { createOrganization } from "@/server/domain/organizations/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { faultsInEachForm } from "./support/forms";
import { refused } from "./support/guard";
import { tabTo } from "./support/keyboard";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const SEARCH = "Search by name, email address or id";
const rows = (page: Page) => page.getByRole("table").getByRole("row");
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

const choose = (page: Page, filter: string, label: string) =>
  page.getByRole("combobox", { name: filter, exact: true }).selectOption({ label });

/** Creates, changes and revokes a key, by the operator's commands. */
async function keyOf(name: string) {
  const { ctx } = world;
  const key = await createKey({ ctx, input: { name } });
  await setKey({ ctx, input: { keyId: key.id, name: `${name}, renamed`, sendLimit: 7 } });
  await revokeKey({ ctx, input: { keyId: key.id, reason: "Found in a log" } });
  return key;
}

test("what a member does stands there: who, what, when, from where, and what it was before", async () => {
  const { page, go, close } = await world.open(world.owner, { zone: "Asia/Tokyo" });
  await go("/settings");
  const field = page.getByRole("textbox", { name: "Name" });
  const before = await field.inputValue();
  await field.fill("Renamed by hand");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByRole("button", { name: "Organization: Renamed by hand" }).waitFor();
  await go(`/audit?q=${world.owner.email}`);
  const act = row(page, "renamed the organization");
  await act.getByText("Renamed by hand").first().waitFor();
  expect(await act.getByRole("deletion").textContent()).toBe(before);
  expect(await act.getByRole("insertion").textContent()).toBe("Renamed by hand");
  await act.getByText(world.owner.email).waitFor();
  await act.getByText(world.address).waitFor();
  await act.getByText(/^just now, \d+ \p{L}+ \d{4}.* \d\d:\d\d:\d\d GMT\+9$/u).waitFor();
  await act.getByRole("link", { name: "Renamed by hand" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await close();
});

test("each act leads to what it was about, where there is one still", async () => {
  const { id } = await keyOf("Leads somewhere");
  const conversation = await openConversation(world.ctx, await connectTestChannel(world.ctx));
  await eraseContact({ ctx: world.ctx, input: { contactId: conversation.contactId } });
  const { page, go, close } = await world.open(world.owner);
  await go("/audit");
  await row(page, "changed an API key").getByText("New messages per minute").waitFor();
  await row(page, "revoked an API key").getByText("Found in a log").waitFor();
  const created = row(page, "created an API key").filter({ hasText: "Leads somewhere" });
  await created.getByText("8 details").click();
  await created.getByText("messages:send, messages:read").waitFor();
  await row(page, "revoked an API key").getByRole("link", { name: "Leads somewhere, renamed" }).click();
  await page.getByRole("heading", { level: 1, name: "Leads somewhere, renamed" }).waitFor();
  expect(page.url()).toContain(id);
  await go("/audit");
  await row(page, "erased a contact").getByRole("link", { name: "the contact" }).click();
  await page.getByRole("heading", { level: 1, name: "Erased contact" }).waitFor();
  await page.getByRole("link", { name: "View in the audit log" }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  await row(page, "erased a contact").waitFor();
  await close();
});

test("filters narrow the list, the address keeps them, and the file holds the same", async () => {
  const { id } = await keyOf("=1+1");
  const { page, go, close } = await world.open(world.owner);
  await go("/audit");
  await page.getByRole("table").waitFor();
  await page.getByRole("textbox", { name: SEARCH }).fill("=1+1");
  await expect.poll(() => rows(page).count()).toBe(4);
  await choose(page, "Action", "changed an API key");
  await expect.poll(() => rows(page).count()).toBe(2);
  await choose(page, "Time", "Last hour");
  await choose(page, "Actor", "Waypost and its operators");
  await expect.poll(() => rows(page).count()).toBe(2);
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ q: "=1+1", action: "key.set", range: "1h", who: "system" });
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(2);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("waypost-audit.csv");
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`key,${id},"'=1+1, renamed"`);
  await page.goBack();
  await expect.poll(() => new URL(page.url()).searchParams.has("who")).toBe(false);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => rows(page).count()).toBeGreaterThan(4);
  await choose(page, "Resource", "template");
  await choose(page, "Actor", "API keys");
  await page.getByText("No matches").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows(page).count()).toBeGreaterThan(4);
  await close();
});

test("a long log is read page by page, by keyboard alone", async () => {
  const { organizationId } = world.ctx.actor;
  const subjectId = "01900000-0000-7000-8000-00000000abcd";
  await world.services.sql`
    insert into audit_log (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id)
    select gen_random_uuid(), ${organizationId}, 'system', 'test', 'template.submitted', 'template', ${subjectId}
    from generate_series(1, 70)`;
  const { page, go, close } = await world.open(world.owner);
  await go("/audit");
  await tabTo(page, page.getByRole("textbox", { name: SEARCH }));
  await page.keyboard.type(subjectId);
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(subjectId);
  await expect.poll(() => rows(page).count()).toBe(51);
  await tabTo(page, page.getByRole("button", { name: "Older" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => rows(page).count()).toBe(21);
  await tabTo(page, page.getByRole("button", { name: "Newest" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => rows(page).count()).toBe(51);
  await tabTo(page, page.getByRole("button", { name: "Clear", exact: true }));
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await close();
});

test("another organization’s acts are nowhere, also where the address names what they were about", async () => {
  const { ctx } = await createOrganization({
    services: world.services,
    job: "test",
    input: { name: "Other" },
  });
  const { id } = await createKey({ ctx, input: { name: "Foreign" } });
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 audit.list") });
  for (const one of [id, "01900000-0000-7000-8000-000000000000", "no-id"]) {
    await go(`/audit?q=${one}`);
    await page.getByText("No matches").waitFor();
    expect(await page.content()).not.toContain("Foreign");
  }
  // A cursor of another list.
  await go("/audit?after=another.lists");
  await page.getByText("That page of the list no longer exists. This is the first page.").waitFor();
  await rows(page).nth(1).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await close();
});

describe("audit.read", () => {
  test("an agent doesn’t see the page, and is refused where its address is known", async () => {
    const { page, go, close } = await world.open(await world.addMember("agent"), {
      expects: refused("403 audit.list"),
    });
    await go("/audit");
    await page.getByText("You don’t have access to this page").waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    expect(await page.getByRole("table").count()).toBe(0);
    await close();
  });

  test("an agent who was given it reads, without ways to where they may not go", async () => {
    await keyOf("Out of reach");
    const { page, go, close } = await world.open(await world.addMember("agent", ["audit.read"]));
    await go("/audit");
    await row(page, "Out of reach").first().waitFor();
    expect(await page.getByRole("link", { name: "Out of reach" }).count()).toBe(0);
    await close();
  });
});

test("axe finds nothing wrong in light, dark and narrow", async () => {
  await keyOf("W".repeat(80));
  const { page, go, close } = await world.open(world.owner);
  const check = async (what: string) => expect([what, ...(await faultsInEachForm(page))]).toEqual([what]);
  await go("/audit");
  await page.getByRole("table").waitFor();
  await check("list");
  await choose(page, "Action", "revoked an API key");
  await expect.poll(() => row(page, "created an API key").count()).toBe(0);
  await check("narrowed");
  await go("/audit?q=none");
  await page.getByText("No matches").waitFor();
  await check("nothing");
  await close();
});
