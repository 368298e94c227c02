import { expect, test } from "vitest";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { refused } from "@/e2e/admin/support/guard";
import { enter, focused, tabTo } from "@/e2e/admin/support/keyboard";
import { useSuite } from "@/e2e/admin/support/suite";
import { customerWrites } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";

const suite = useSuite({ expects: refused("404 inbox.get", "404 /o/*/webhooks/inbox/*") });
const rows = (type: string) => suite().admin.page.getByRole("row").filter({ hasText: type });
const panel = () => suite().admin.page.getByRole("dialog", { name: "Received webhook" });
const organizationId = () => suite().world.demo.organization_id;
const inboxUrl = () => `${suite().world.server.baseUrl}/api/demo/inbox/${organizationId()}`;

/** Deletes the current content of the inbox. */
async function empty(): Promise<void> {
  const { sql } = suite().world.services;
  const settled = async () => {
    const [row] = await sql<{ pending: number }[]>`
      select count(*)::int as pending from webhook_deliveries
      where organization_id = ${organizationId()} and state = 'pending'`;
    return row?.pending === 0;
  };
  await until("nothing is on its way to the inbox", settled);
  await sql`delete from demo_inbox where organization_id = ${organizationId()}`;
}

test("it fills while a message is sent, and leads to the message", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  await empty();
  await admin.go("/webhooks/inbox");
  await page.getByText("No webhooks yet").waitFor();
  await page.getByRole("button", { name: "Send a test message" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test message" });
  await dialog.getByLabel("Number").fill(world.demo.contacts.open_window.handle);
  await dialog.getByLabel("Message text").fill("Look, a webhook");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  for (const type of ["message.sent", "message.delivered", "message.read"]) {
    await rows(type).getByText("verified", { exact: true }).waitFor();
  }
  expect(new URL(page.url()).pathname).toMatch(/\/webhooks\/inbox$/);
  await rows("message.read").getByRole("cell").getByRole("link").click();
  await page.getByRole("dialog", { name: "Message", exact: true }).getByText("Look, a webhook").waitFor();
});

test("one opens at an address of its own, with its headers, its body as it came, and how to verify it", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  await empty();
  await admin.go("/webhooks/inbox");
  const from = world.demo.contacts.open_window.handle;
  const phoneNumberId = world.demo.phone_number_ids.default;
  await customerWrites(world.server.simulatorUrl, { phoneNumberId, from, body: "Where is it?" });
  const link = rows("message.received").getByRole("link", { name: "message.received" });
  await tabTo(page, link);
  await page.keyboard.press("Enter");
  await panel().getByText("This webhook was signed with the endpoint’s secret").waitFor();
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type", "user-agent"]) {
    await panel().getByRole("term").getByText(name, { exact: true }).waitFor();
  }
  await panel().getByText('    "handle": "').waitFor();
  await panel()
    .getByRole("link", { name: /^a message from / })
    .waitFor();
  await panel().getByText('from "standardwebhooks"').waitFor();
  await panel().getByRole("button", { name: "Copy original" }).click();
  await panel().getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [row] = await world.services.sql<{ body: string }[]>`
    select body from demo_inbox where organization_id = ${organizationId()} and type = 'message.received'`;
  expect(copied).toBe(row?.body);
  expect(JSON.parse(copied)).toMatchObject({ type: "message.received", data: { from: { handle: from } } });
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
  await focused(link);
  await link.click();
  await panel().waitFor();
  await page.reload();
  await panel().getByText("Where is it?").waitFor();
});

test("what somebody else posts there is told apart, and that a program should refuse it", async () => {
  const { admin } = suite();
  await fetch(inboxUrl(), { method: "POST", body: "I am Waypost, believe me" });
  const headers = {
    "webhook-id": "1",
    "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    "webhook-signature": "v1,AAAA",
  };
  await fetch(inboxUrl(), { method: "POST", headers, body: '{"type":"message.sent"}' });
  await admin.go("/webhooks/inbox");
  await rows("wrong signature").getByText("Not an event").waitFor();
  expect(await rows("verified").getByText("Not an event").count()).toBe(0);
  await rows("not signed").getByRole("link").click();
  await panel().getByText("Your program should reject it").waitFor();
  await panel().getByText("I am Waypost, believe me").waitFor();
});

test("why nothing more comes in is said, and mended there", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  const { sql } = world.services;
  await sql`
    update webhook_endpoints set disabled_at = now(), disabled_reason = 'member'
    where organization_id = ${organizationId()}`;
  await admin.go("/webhooks/inbox");
  const notice = page.getByRole("alert").filter({ hasText: "This inbox gets no new webhooks" });
  await notice.waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await enter(page, notice.getByRole("button", { name: "Enable endpoint" }));
  await notice.waitFor({ state: "detached" });
  await sql`update webhook_endpoints set deleted_at = now() where organization_id = ${organizationId()}`;
  await notice.getByRole("button", { name: "Copy inbox URL" }).click();
  await notice.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(inboxUrl());
  await sql`update webhook_endpoints set deleted_at = null where organization_id = ${organizationId()}`;
  await notice.waitFor({ state: "detached" });
});

test("it is a tab of a demo’s webhooks, and nowhere else; an agent may not see it", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  const { sql } = world.services;
  const entry = page.getByRole("navigation", { name: "Webhooks" }).getByRole("link", { name: "Inbox" });
  await admin.go("/webhooks");
  await entry.click();
  await page.getByRole("heading", { name: "Webhook inbox" }).waitFor();
  await page.locator("[aria-current=page]").getByText("Inbox", { exact: true }).waitFor();
  await page.locator("[aria-current=page]").getByText("Webhooks", { exact: true }).waitFor();
  const agent = await world.open(await world.addMember("agent"));
  await agent.go("/webhooks/inbox");
  await agent.page.getByText("You don’t have access to this page").waitFor();
  await agent.close();
  await sql`update organizations set is_demo = false where id = ${organizationId()}`;
  try {
    await admin.go("/webhooks/inbox");
    await page.getByText("Only demo organizations have an inbox").waitFor();
    expect(await entry.count()).toBe(0);
  } finally {
    await sql`update organizations set is_demo = true where id = ${organizationId()}`;
  }
});

test("one that isn’t kept any more says so, beside the list", async () => {
  const { admin } = suite();
  await admin.go("/webhooks/inbox/01a200ba-a44e-7076-8d1e-034800352ddb");
  await panel().getByText("This webhook isn’t in the inbox, or was removed.").waitFor();
  expect(await admin.page.getByRole("heading", { name: "Webhook inbox" }).count()).toBe(1);
});

test("list, panel and notice are without faults in light and dark, wide and narrow", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  await admin.go("/webhooks/inbox");
  await page.getByRole("row").nth(1).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  const [row] = await world.services.sql<{ id: string }[]>`
    select id from demo_inbox where organization_id = ${organizationId()} and fault is null limit 1`;
  await admin.go(`/webhooks/inbox/${row?.id}`);
  await panel().getByText("Verify it in your program").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
});
