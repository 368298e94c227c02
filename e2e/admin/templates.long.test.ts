import { expect, test } from "vitest";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { refused } from "@/e2e/admin/support/guard";
import { enter, focused, tabTo } from "@/e2e/admin/support/keyboard";
import { useSuite } from "@/e2e/admin/support/suite";
import { failNumber } from "@/e2e/support/simulator";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { createOrganization } from "@/server/domain/organizations/create";
import { templateCaller } from "@/server/domain/templates/caller";
import { createTemplate } from "@/server/adapters/whatsapp/template-client";

const suite = useSuite({ expects: refused("404 templates.get", "404 /o/*/templates/*") });
const row = (text: string) => suite().admin.page.getByRole("row").filter({ hasText: text });
const panel = () => suite().admin.page.getByRole("dialog", { name: "Template", exact: true });
const searchOf = () => new URL(suite().admin.page.url()).searchParams;
const read = () => suite().admin.page.getByRole("button", { name: "Synchronize with WhatsApp" });

/** Creates a template at WhatsApp that Waypost doesn't know of. */
async function addAtWhatsApp(name: string, text: string): Promise<void> {
  const { ctx, demo } = suite().world;
  const caller = await templateCaller(ctx, demo.channels.default);
  if (caller === null) throw new Error("There is no simulator");
  const components = [{ type: "BODY", text, example: { body_text: [["Ada"]] } }];
  const template = { name, language: "en_US", category: "utility", components };
  expect(await createTemplate(caller, template)).toMatchObject({ kind: "created" });
}

/** Moves the last call of the accounts into the past. */
async function letTimePass(): Promise<void> {
  const { services, ctx } = suite().world;
  await services.sql`
    update channels set templates_asked_at = now() - interval '1 minute'
    where organization_id = ${ctx.actor.organizationId}`;
}

test("each template tells its state with the reason, and its text with the variables standing out", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  const { approved, pending, rejected } = world.demo.templates;
  await admin.go("/templates");
  await row(approved.name).first().getByText("approved", { exact: true }).waitFor();
  await row(pending.name).first().getByText("pending", { exact: true }).waitFor();
  await row(rejected.name).first().getByText("rejected", { exact: true }).waitFor();
  await row(rejected.name).first().getByText("The category doesn’t match the content.").waitFor();
  const channel = row(approved.name).first().getByRole("cell").last();
  await expect.poll(() => channel.textContent()).toBe("Support");
  expect(await row(approved.name).first().locator("mark").first().textContent()).toMatch(/^\{\{.+\}\}$/);
  await page.getByText(/^Updated from WhatsApp/).waitFor();
});

test("a template opens beside the list at an address of its own, and gives the focus back", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  const { template_submission_id: id, name, variables } = world.demo.templates.approved;
  await admin.go(`/templates?q=${name}`);
  const link = page.getByRole("link", { name, exact: true }).first();
  await tabTo(page, link);
  await page.keyboard.press("Enter");
  await panel().getByText("You can send this template.").waitFor();
  for (const variable of Object.keys(variables))
    await panel().getByText(variable, { exact: true }).first().waitFor();
  await panel().getByText("template_submission_id").waitFor();
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
  await focused(link);
  expect(searchOf().get("q")).toBe(name);
  await admin.go(`/templates/${id}`);
  await panel().getByText(id, { exact: true }).waitFor();
  await page.reload();
  await panel().getByText(id, { exact: true }).waitFor();
});

test("search, state and channel narrow the list, and stand in the address", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  const { approved, rejected } = world.demo.templates;
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await admin.go("/templates");
  await link(approved.name).waitFor();
  await page.getByLabel("State").selectOption("rejected");
  await link(approved.name).waitFor({ state: "detached" });
  await link(rejected.name).waitFor();
  await page.reload();
  await link(rejected.name).waitFor();
  expect(searchOf().get("state")).toBe("rejected");
  await page.getByLabel("Search templates").fill("nothing of the kind");
  await page.getByText("No matching templates").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await link(approved.name).waitFor();
  expect([...searchOf().keys()]).toEqual([]);
  await page.getByLabel("Channel").selectOption(world.demo.channels.second);
  await expect.poll(() => searchOf().get("channel")).toBe(world.demo.channels.second);
  await page.goBack();
  await expect.poll(() => searchOf().get("channel")).toBeNull();
});

test("what is new at WhatsApp is read at once when one asks for it, and not again and again", async () => {
  const { admin } = suite();
  const { page } = admin;
  await addAtWhatsApp("asked_for", "Good morning {{1}}, all is well");
  await letTimePass();
  await admin.go("/templates");
  await read().dblclick();
  await row("asked_for").getByText("{{1}}", { exact: true }).waitFor();
  await page.getByText("The templates are up to date. 1 template changed.").waitFor();
  await enter(page, read());
  await page.getByText("The templates were already updated in the last 30 seconds.").waitFor();
  expect(await row("asked_for").count()).toBe(1);
});

test("where WhatsApp doesn’t tell them, the page says of which channel, and why", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  const number = world.demo.phone_number_ids.default;
  await failNumber(world.server.simulatorUrl, number, "access_token_invalid");
  await letTimePass();
  await admin.go("/templates");
  await read().click();
  await page.getByText("Some templates couldn’t be read").waitFor();
  expect(await page.getByText(/\(#190\)/).textContent()).toContain("Support");
  await failNumber(world.server.simulatorUrl, number, null);
  await letTimePass();
  await read().click();
  await page.getByText("Some templates couldn’t be read").waitFor({ state: "detached" });
});

test("another organization’s template is answered as one that never was", async () => {
  const { admin, world } = suite();
  const { ctx } = await createOrganization({
    services: world.services,
    job: "test",
    input: { name: "Other" },
  });
  const channelId = await connectTestChannel(ctx);
  const [foreign] = await world.services.sql<{ id: string }[]>`
    insert into templates (id, organization_id, channel_id, name, language, state, components)
    values (gen_random_uuid(), ${ctx.actor.organizationId}, ${channelId}, 'foreign_one', 'en', 'approved', '[]')
    returning id`;
  for (const id of [foreign?.id, "01900000-0000-7000-8000-000000000000", "no-id"]) {
    await admin.go(`/templates/${id}`);
    await panel().getByText("There is no such template.").waitFor();
    expect(await admin.page.content()).not.toContain("foreign_one");
  }
});

test("axe finds nothing wrong with list and panel in light, dark and narrow, and long names keep within them", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  await addAtWhatsApp("w".repeat(200), `${"W".repeat(200)} {{1}} and so on`);
  await letTimePass();
  await admin.go("/templates");
  await read().click();
  await row("w".repeat(200)).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await admin.go(`/templates/${world.demo.templates.rejected.template_submission_id}`);
  await panel().getByText("WhatsApp rejected this template.").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
});
