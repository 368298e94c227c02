import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { refused } from "@/e2e/admin/support/guard";
import { enter } from "@/e2e/admin/support/keyboard";
import { ENDINGS, newNumber, send as sendIn } from "@/e2e/admin/support/send";
import { useSuite } from "@/e2e/admin/support/suite";
import { applyStatuses } from "@/server/domain/messages/status/apply-statuses";
import { addTemplate } from "@/server/domain/messages/testing";

const suite = useSuite();
const send = (handle: string) => sendIn(suite(), handle);
const panel = () => suite().admin.page.getByRole("dialog", { name: "Message", exact: true });
const search = () => suite().admin.page.getByLabel("Search messages");
/** The owner’s page, whose network fails when the test wants it to. */
const openFailing = () => suite().world.open(suite().world.owner, { expects: /net::ERR_/ });

test("a test message whose answer was lost is sent once, though the button is pressed again", async () => {
  const { world } = suite();
  const { page, go, close } = await openFailing();
  const body = `Once ${randomUUID()}`;
  let lost = 0;
  await page.route(/messages\.sendTest/, async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await go("/messages");
  await page.getByRole("button", { name: "Send a test message" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test message" });
  await dialog.getByLabel("Number").fill(world.demo.contacts.open_window.handle);
  await dialog.getByLabel("Message text").fill(body);
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await dialog.getByText("The server can’t be reached").waitFor();
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  const sent = await world.services.sql`select 1 from messages where content #>> '{text,body}' = ${body}`;
  expect([lost, sent.length]).toEqual([1, 1]);
  await close();
});

test("the open page of a message that counts as failed shows that it was delivered after all", async () => {
  const { world, admin } = suite();
  const { id } = await send(newNumber(ENDINGS.windowClosed));
  // Webhook deliveries, further down, have states with the same names.
  const state = (word: string) => panel().locator("[aria-live=polite]").getByText(word, { exact: true });
  await admin.go(`/messages/${id}`);
  await state("failed").waitFor();
  const [row] = await world.services.sql<{ channelId: string }[]>`
    select channel_id as "channelId" from messages where id = ${id}`;
  const report = { messageId: id, recipient: null, errorCode: null, detail: null, upstreamAt: new Date() };
  await applyStatuses({
    ctx: world.ctx,
    input: {
      channelId: row?.channelId ?? "",
      reports: [{ ...report, upstreamId: `wamid.${id}`, kind: "delivered" }],
    },
  });
  await state("delivered").waitFor();
  expect(await state("failed").count()).toBe(0);
});

test("a live list that can’t be updated any more says so, keeps what it has, and goes on by itself", async () => {
  const { page, go, close } = await openFailing();
  const { clientMessageId } = await send(newNumber(ENDINGS.read));
  await go("/messages");
  const row = page.getByRole("row").filter({ hasText: clientMessageId });
  await row.waitFor();
  await page.context().setOffline(true);
  const strip = page.getByText("This can’t be updated");
  await strip.waitFor();
  expect(await row.count()).toBe(1);
  await page.context().setOffline(false);
  await strip.waitFor({ state: "detached" });
  await close();
});

test("an API key that is typed into a page’s search goes into no address", async () => {
  const { admin } = suite();
  const { page } = admin;
  const asked: string[] = [];
  await admin.go("/messages");
  page.on("request", (request) => asked.push(request.url()));
  await search().fill("ak_live_0123456789abcdef");
  await page.getByText("This is an API key. Keys are secret").waitFor();
  await search().press("Enter");
  await search().blur();
  await search().fill("nothing of the kind");
  await page.getByText("No matching messages").waitFor();
  expect(asked.some((url) => url.includes("nothing"))).toBe(true);
  expect(asked.filter((url) => url.includes("ak_live"))).toEqual([]);
});

test("filters stand in the address, survive a reload, and are undone by going back", async () => {
  const { world, admin, key } = suite();
  const { page } = admin;
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  const failed = await send(newNumber(ENDINGS.windowClosed));
  const arrived = await send(newNumber(ENDINGS.read));
  await admin.go("/messages");
  await row(failed.clientMessageId).getByText("failed", { exact: true }).waitFor();
  await row(arrived.clientMessageId).waitFor();
  await page.getByLabel("State", { exact: true }).selectOption("Failed");
  await row(arrived.clientMessageId).waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).searchParams.get("state")).toBe("failed");
  await page.reload();
  await row(failed.clientMessageId).waitFor();
  expect(await row(arrived.clientMessageId).count()).toBe(0);

  await world.services.sql`
    update messages set created_at = created_at - interval '2 hours' where id = ${failed.id}`;
  const { channels, api_key: otherKey } = world.demo;
  const fits: Record<string, string> = { state: "failed" };
  for (const [label, name, fitting, other] of [
    ["Channel", "channel", channels.default, channels.second],
    ["Key", "key", key.id, otherKey.id],
    ["Error code", "error", "outside_customer_window", "recipient_blocked"],
    ["Time", "range", "24h", "1h"],
  ] as const) {
    const choice = page.getByRole("combobox", { name: label, exact: true });
    await choice.selectOption(other);
    await row(failed.clientMessageId).waitFor({ state: "detached" });
    await choice.selectOption(fitting);
    await row(failed.clientMessageId).waitFor();
    fits[name] = fitting;
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(fits);
  }
  await row(failed.clientMessageId).getByRole("link").click();
  await panel().waitFor();
  await page.goBack();
  await panel().waitFor({ state: "detached" });
  await page.goBack();
  await row(failed.clientMessageId).waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).searchParams.get("range")).toBe("1h");
  await enter(page, page.getByRole("button", { name: "Clear", exact: true }));
  await row(arrived.clientMessageId).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
});

test("going back takes a moment out of its field too", async () => {
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/messages?range=custom");
  const from = page.getByLabel("From", { exact: true });
  await from.fill("2026-01-01T10:00");
  await page.waitForURL(/since=/);
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has("since"));
  await expect.poll(() => from.inputValue()).toBe("");
});

test("a template message shows what the customer reads, leads to the template, and tells exact times", async () => {
  const { world, admin } = suite();
  const { id } = await send(newNumber(ENDINGS.read));
  await admin.go(`/messages/${id}`);
  const says = panel().getByRole("region", { name: "Content" });
  const [value] = Object.values(world.demo.templates.approved.variables);
  await says
    .getByText(new RegExp(`\\w+.*${value}`))
    .first()
    .waitFor();
  await panel()
    .getByRole("region", { name: "Timeline" })
    .getByText(/\d\d:\d\d:\d\d UTC/)
    .first()
    .waitFor();
  const { template_submission_id: template } = world.demo.templates.approved;
  expect(await says.getByRole("link").getAttribute("href")).toMatch(new RegExp(`/templates/${template}$`));
});

test("whoever looks for a name or for a number that nothing was sent to is led to where it can be found", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const [contact] = await world.services.sql<{ id: string; name: string }[]>`
    select id, name from contacts where organization_id = ${world.ctx.actor.organizationId} and name is not null
      and merged_into is null order by id limit 1`;
  await admin.go(`/messages?${new URLSearchParams({ q: contact?.name ?? "" }).toString()}`);
  await page.getByRole("link", { name: contact?.name ?? "", exact: true }).click();
  await page.waitForURL(new RegExp(`/contacts/${contact?.id}`));
  await admin.go("/messages?q=4915199900002");
  const reported = page.getByText("This search also shows refused requests");
  await reported.waitFor();
  expect(await reported.textContent()).toContain("the full number with its country code");
});

test("what is wrong with one variable of a template stands at it alone, until something is changed", async () => {
  const { world } = suite();
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 messages.sendTest") });
  const [channel] = await world.services.sql<{ id: string }[]>`
    select channel_id as id from templates where id = ${world.demo.templates.approved.template_submission_id}`;
  await addTemplate(world.ctx, channel?.id ?? "", {
    name: "with_file",
    variables: ["parcel_number", "header.url"],
  });
  await go("/messages");
  await page.getByRole("button", { name: "Send a test message" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test message" });
  await dialog.getByLabel("Number", { exact: true }).fill(world.demo.contacts.open_window.handle);
  await dialog.getByText("Template", { exact: true }).click();
  await dialog.getByRole("combobox", { name: "Template" }).fill("with_file");
  await page.getByRole("option", { name: "with_file" }).click();
  await dialog.getByLabel("Parcel number").fill("7");
  const file = dialog.getByLabel("Header, URL of the file");
  await file.fill("http://localhost/a.png");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await dialog.getByText("The media URL can't be used").waitFor();
  const atFault = dialog.locator("[aria-invalid=true]");
  expect([await atFault.count(), await file.getAttribute("aria-invalid")]).toEqual([1, "true"]);
  await file.fill("https://example.com/a.png");
  expect(await atFault.count()).toBe(0);
  expect(await dialog.getByLabel("Parcel number").inputValue()).toBe("7");
  await close();
});

test("a template is found to be sent however many there are", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const [channel] = await world.services.sql<{ id: string }[]>`
    select channel_id as id from templates where id = ${world.demo.templates.approved.template_submission_id}`;
  for (let place = 100; place <= 201; place += 1) {
    await addTemplate(world.ctx, channel?.id ?? "", { name: `zz_${place}` });
  }
  await admin.go("/messages");
  await page.getByRole("button", { name: "Send a test message" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test message" });
  await dialog.getByText("Template", { exact: true }).click();
  await dialog.getByRole("combobox", { name: "Template" }).fill("zz_201");
  await page.getByRole("option", { name: "zz_201" }).click();
  expect(await dialog.getByRole("combobox", { name: "Template" }).inputValue()).toContain("zz_201");
});
