import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { refused } from "@/e2e/admin/support/guard";
import { enter } from "@/e2e/admin/support/keyboard";
import { ENDINGS, newNumber, send as sendIn } from "@/e2e/admin/support/send";
import { useSuite } from "@/e2e/admin/support/suite";
import { demo } from "@/e2e/support/cli";
import { limitMs } from "@/e2e/support/machine-speed";
import { until } from "@/e2e/support/until";
/** Maximum compressed size of the scripts of a first load. */
const SCRIPT_BYTES_MAX = 300_000;

const suite = useSuite({
  expects: refused(
    "404 messages.inspect",
    "404 /o/*/messages/*",
    "400 messages.sendTest",
    "400 messages.search",
  ),
});
const send = (handle: string) => sendIn(suite(), handle);
const row = (text: string) => suite().admin.page.getByRole("row").filter({ hasText: text });
const search = () => suite().admin.page.getByLabel("Search messages");
const panel = () => suite().admin.page.getByRole("dialog", { name: "Message", exact: true });

test("the one search box finds a message by each of its ids, and by its number in any spelling", async () => {
  const { admin } = suite();
  const { page } = admin;
  const { id, clientMessageId, requestId } = await send("4915123456789");
  const other = await send(newNumber(ENDINGS.read));
  await admin.go(`/messages/${id}`);
  const wamid = await panel()
    .getByText(/^wamid\./)
    .textContent();
  await admin.go("/messages");
  await row(other.clientMessageId).waitFor();
  for (const text of [
    id,
    clientMessageId,
    requestId,
    wamid ?? "",
    "0049 151 23456789",
    "0151 23456789",
    "23456789",
  ]) {
    await search().fill(text);
    await row(other.clientMessageId).waitFor({ state: "detached" });
    await row(clientMessageId).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThanOrEqual(2);
    await search().fill("");
    await row(other.clientMessageId).waitFor();
  }
});

test("a message that may have arrived is only sent again by who accepts that it may arrive twice", async () => {
  const { admin } = suite();
  const { page } = admin;
  const { id } = await send(newNumber(ENDINGS.noClearAnswer));
  await admin.go(`/messages/${id}`);
  await panel()
    .getByText("waiting for confirmation", { exact: true })
    .waitFor({ timeout: limitMs(60_000) });
  await panel()
    .getByText(/Waiting for WhatsApp’s confirmation until \S/)
    .waitFor();
  await panel().getByRole("button", { name: "Send again" }).click();
  const question = page.getByRole("dialog", { name: "Send this message again" });
  const button = question.getByRole("button", { name: "Send again" });
  expect(await button.isDisabled()).toBe(true);
  await question.getByLabel("I accept that the customer may get it twice").check();
  await button.click();
  await panel().getByText("This is a resend of").waitFor();
});

test("a refusal for the customer’s country says so, with WhatsApp’s code, and doesn’t blame the number", async () => {
  const { admin } = suite();
  const { id } = await send(newNumber(ENDINGS.countryRestricted));
  await admin.go(`/messages/${id}`);
  await panel()
    .getByText(/^WhatsApp error code 130497: Business account is restricted/)
    .waitFor();
  await panel()
    .getByText("WhatsApp doesn't allow this business to send messages to people in the customer's country.")
    .waitFor();
  expect(
    await panel()
      .getByText(/Check the number/i)
      .count(),
  ).toBe(0);
});

test("a message that is tried again says what WhatsApp said, when it is tried next, and that no event is due yet", async () => {
  const { admin } = suite();
  const { id } = await send(newNumber(ENDINGS.appLimited));
  await admin.go(`/messages/${id}`);
  await panel()
    .getByText(/reached its rate limit\. Waypost retries the message automatically/)
    .waitFor();
  await panel().getByText("WhatsApp error code 4: API Too Many Calls", { exact: true }).waitFor();
  await panel()
    .getByText(/Next attempt:/)
    .first()
    .waitFor();
  const todo = panel().getByRole("region", { name: "What to do" });
  await todo
    .getByText(/^Nothing yet\..* We retry until .*\d\d:\d\d\. After that, the message fails\.$/)
    .waitFor();
  const timeline = panel().getByRole("region", { name: "Timeline" });
  await timeline.getByText(/^\d+ attempts: not sent \(API Too Many Calls\)$/).waitFor();
  expect(await timeline.getByText(/Application request limit reached/).count()).toBe(0);
  await timeline.getByRole("switch", { name: "Technical details" }).check();
  await timeline.getByText("Attempt 2: not sent (API Too Many Calls)").waitFor();
  await timeline
    .getByText(/^“.*Application request limit reached.*”$/)
    .first()
    .waitFor();
  const noEvent = panel().getByText(/No events yet\. The first event is sent when the state changes\./);
  await expect.poll(() => noEvent.count()).toBe(1);
});

test("what is filtered is exported as CSV, and nobody else's", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const failed = await send(newNumber(ENDINGS.windowClosed));
  const arrived = await send(newNumber(ENDINGS.read));
  await admin.go("/messages?state=failed");
  await row(failed.clientMessageId).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    enter(page, page.getByRole("link", { name: "Export as CSV" })),
  ]);
  expect(download.suggestedFilename()).toBe("waypost-messages.csv");
  const csv = await readFile(await download.path(), "utf8");
  expect(csv.split("\r\n")[0]).toContain("message_id,client_message_id,state");
  expect(csv).toContain(failed.clientMessageId);
  expect(csv).not.toContain(arrived.clientMessageId);

  const file = `${world.server.baseUrl}/api/export/messages.csv`;
  const other = await demo(world.server);
  const statuses = await Promise.all(
    [
      `${file}?organization=${other.organization_id}`,
      `${file}?organization=${world.demo.organization_id}&state=lost`,
      `${world.server.baseUrl}/api/export/secrets.csv?organization=${world.demo.organization_id}`,
    ].map(async (url) => (await page.context().request.get(url)).status()),
  );
  expect(statuses).toEqual([404, 400, 404]);
  expect((await fetch(`${file}?organization=${world.demo.organization_id}`)).status).toBe(401);
});

test("what comes in while an older page is read is counted, and shown when it is asked for", async () => {
  const { admin } = suite();
  const { page } = admin;
  for (let sent = 0; sent < 60; sent += 10) {
    await Promise.all(Array.from({ length: 10 }, () => send(newNumber(ENDINGS.read))));
  }
  await admin.go("/messages");
  await page.getByRole("button", { name: "Older" }).click();
  await page.getByRole("button", { name: "Newest" }).waitFor();
  const { clientMessageId } = await send(newNumber(ENDINGS.read));
  await page.getByRole("button", { name: "1 new" }).click();
  await row(clientMessageId).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.has("after")).toBe(false);
});

test("an agent finds messages and sends, and what an agent may not do is absent", async () => {
  const { world } = suite();
  const agent = await world.open(await world.addMember("agent"));
  const { clientMessageId } = await send(newNumber(ENDINGS.read));
  await agent.go("/messages");
  await agent.page.getByRole("row").filter({ hasText: clientMessageId }).getByRole("link").click();
  await agent.page.getByText("The customer has read the message.").waitFor();
  expect(await agent.page.getByRole("link", { name: "Demo", exact: true }).count()).toBe(0);
  await agent.page.keyboard.press("Escape");
  await agent.page.getByRole("button", { name: "Send a test message" }).waitFor();
  expect(await agent.page.getByRole("combobox", { name: "Key" }).count()).toBe(0);
  await agent.close();
});

test("the list, a message and the dialogs pass axe", async () => {
  const { admin } = suite();
  const { page } = admin;
  const { id } = await send(newNumber(ENDINGS.windowClosed));
  await admin.go("/messages");
  await row("failed").first().waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await admin.go(`/messages/${id}`);
  await panel().getByRole("button", { name: "Send again" }).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await panel().getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog", { name: "Send this message again" }).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await admin.go("/messages");
  await page.getByRole("button", { name: "Send a test message" }).click();
  await page.getByLabel("Number", { exact: true }).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await admin.go("/messages?q=nothing%20of%20the%20kind");
  await page.getByText("No matching messages").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
});

test("an unknown message is said to be unknown", async () => {
  const { admin } = suite();
  await admin.go(`/messages/${randomUUID()}`);
  expect(await panel().getByRole("alert").textContent()).toContain("message");
});

test("an address whose place or filter is none of the list’s leads to the list all the same", async () => {
  const { admin } = suite();
  const { page } = admin;
  await send(newNumber(ENDINGS.read));
  await admin.go("/messages?after=cut.short");
  await page.getByText("That page of the list no longer exists. This is the first page.").waitFor();
  await page.getByRole("table", { name: "Messages, newest first" }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await admin.go("/messages?channel=none&error=none");
  await page.getByText("The filters in this URL don’t match anything here").waitFor();
  await page.getByRole("main").getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("table", { name: "Messages, newest first" }).waitFor();
});

test("the first load of the page takes less than 300 kB of compressed script", async () => {
  const { world } = suite();
  const fresh = await world.open(world.owner);
  const network = await fresh.page.context().newCDPSession(fresh.page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const scripts = new Set<string>();
  const bytes = new Map<string, number>();
  network.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, encodedDataLength),
  );
  await fresh.go("/messages");
  await fresh.page.getByRole("table").waitFor();
  await fresh.page.waitForLoadState("networkidle").catch(() => undefined);
  await until("all scripts are there", () => [...scripts].every((id) => bytes.has(id)));
  const total = [...scripts].reduce((sum, id) => sum + (bytes.get(id) ?? 0), 0);
  console.log(`First load of /messages: ${scripts.size} scripts, ${(total / 1000).toFixed(0)} kB compressed`);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(SCRIPT_BYTES_MAX);
  await fresh.close();
});
