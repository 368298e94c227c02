import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { enter } from "@/e2e/admin/support/keyboard";
import { useSuite } from "@/e2e/admin/support/suite";
import { createKey } from "@/e2e/support/cli";

const suite = useSuite();

/** A request to send a text. It is refused if the number is invalid, or if nobody with that number has written. */
async function ask(handle: string, clientMessageId = `test-${randomUUID()}`, secret = suite().key.secret) {
  const answer = await suite().api.call({
    path: "/messages",
    key: secret,
    json: {
      client_message_id: clientMessageId,
      type: "text",
      to: { kind: "whatsapp", handle },
      text: { body: "Hello" },
    },
  });
  return { clientMessageId, status: answer.status, requestId: String(answer.headers["x-request-id"]) };
}

const row = (text: string) => suite().admin.page.getByRole("row").filter({ hasText: text });
const panel = () => suite().admin.page.getByRole("dialog", { name: "Refused request" });

test("a refused request appears with what it means and what to do, and opens to its facts", async () => {
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/requests");
  await page.getByRole("heading", { name: "API log" }).waitFor();
  const { clientMessageId, requestId, status } = await ask("1");
  expect(status).toBe(400);
  await row(clientMessageId).getByText("Send the number in E.164 form").waitFor();
  await row(clientMessageId).getByRole("link", { name: "invalid_whatsapp_number at to.handle" }).focus();
  await page.keyboard.press("Enter");
  await panel().getByText(requestId, { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/requests/${requestId}$`));
  expect(await panel().textContent()).toContain("POST /api/public/v1/messages");
  await page.reload();
  await panel().getByText(requestId, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
});

test("a request whose client_message_id was accepted later leads to the message", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const refused = await ask("1");
  const accepted = await ask(world.demo.contacts.open_window.handle, refused.clientMessageId);
  expect(accepted.status).toBe(201);
  await admin.go("/requests");
  await row(refused.clientMessageId).getByRole("link").click();
  await panel().getByRole("link", { name: "was accepted" }).click();
  const message = page.getByRole("dialog", { name: "Message", exact: true });
  await message.getByText(refused.clientMessageId, { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toContain("/messages/");
});

test("whoever looks in the wrong list is led to the other, by the request's id or the integrator's", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const accepted = await ask(world.demo.contacts.open_window.handle);
  expect(accepted.status).toBe(201);
  for (const path of [
    `/requests?request=${accepted.requestId}`,
    `/requests?client=${accepted.clientMessageId}`,
    `/requests/${accepted.requestId}`,
  ]) {
    await admin.go(path);
    await page.getByRole("link", { name: "was accepted" }).click();
    await page
      .getByRole("dialog", { name: "Message", exact: true })
      .getByText(accepted.clientMessageId, { exact: true })
      .waitFor();
  }
  const refused = await ask("1");
  for (const id of [refused.requestId, refused.clientMessageId]) {
    await admin.go(`/messages?q=${id}`);
    await page.getByRole("link", { name: "was refused" }).click();
    await panel().getByText(refused.requestId, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.getByRole("group", { name: "Refused requests" }).getByRole("option").waitFor();
    await page.keyboard.press("Enter");
    await panel().getByText(refused.requestId, { exact: true }).waitFor();
  }
});

test("an id that a customer's number ends with is not taken for a message to them", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const { handle } = world.demo.contacts.open_window;
  expect((await ask(handle)).status).toBe(201);
  const { requestId, clientMessageId } = await ask("1", handle.slice(-8));
  await admin.go("/requests");
  await row(clientMessageId).getByRole("link").click();
  await panel().getByText(requestId, { exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("link", { name: "was accepted" }).count()).toBe(0);
});

test("filters stand in the address and are undone by going back; what they let through is exported", async () => {
  const { world, admin, key } = suite();
  const { page } = admin;
  const malformed = await ask("1");
  const outside = await ask(world.demo.contacts.closed_window.handle);
  expect(outside.status).toBe(422);
  await admin.go("/requests");
  await row(malformed.clientMessageId).waitFor();
  await page.getByLabel("Status", { exact: true }).selectOption("422");
  await row(malformed.clientMessageId).waitFor({ state: "detached" });
  await row(outside.clientMessageId).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("status")).toBe("422");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as CSV" }).click(),
  ]);
  const csv = await readFile(await download.path(), "utf8");
  expect(csv).toContain(outside.clientMessageId);
  expect(csv).not.toContain(malformed.clientMessageId);
  await page.goBack();
  await row(malformed.clientMessageId).waitFor();

  await page.getByLabel("client_message_id").fill(malformed.clientMessageId);
  await row(outside.clientMessageId).waitFor({ state: "detached" });
  await page.getByLabel("client_message_id").fill("");
  await page.getByLabel("Request ID").fill(outside.requestId);
  await row(malformed.clientMessageId).waitFor({ state: "detached" });
  await row(outside.clientMessageId).waitFor();
  await page.getByLabel("Request ID").fill(randomUUID());
  await page.getByText("No matching requests").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await row(malformed.clientMessageId).waitFor();

  await world.services.sql`
    update api_requests set refused_at = refused_at - interval '2 hours' where id = ${malformed.requestId}`;
  const fits: Record<string, string> = {};
  for (const [label, name, fitting, other] of [
    ["Error code", "code", "invalid_whatsapp_number", "outside_customer_window"],
    ["Key", "key", key.id, world.demo.api_key.id],
    ["Time", "range", "24h", "1h"],
  ] as const) {
    const choice = page.getByRole("combobox", { name: label, exact: true });
    await choice.selectOption(other);
    await row(malformed.clientMessageId).waitFor({ state: "detached" });
    await choice.selectOption(fitting);
    await row(malformed.clientMessageId).waitFor();
    fits[name] = fitting;
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(fits);
  }
  await enter(page, page.getByRole("button", { name: "Clear", exact: true }));
  await row(outside.clientMessageId).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
});

test("successes and refusals are counted by route, which filters the page", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const key = await createKey(world.server, world.demo.organization_id);
  const { handle } = world.demo.contacts.open_window;
  for (let sent = 0; sent < 3; sent += 1) expect((await ask(handle, undefined, key.secret)).status).toBe(201);
  const refused = await ask("1", undefined, key.secret);
  expect((await suite().api.call({ path: "/ping", key: key.secret })).status).toBe(200);
  await admin.go(`/requests?key=${key.id}`);
  const summary = page.getByRole("table", { name: "Requests by route" });
  const counts = (route: string) =>
    summary.getByRole("row").filter({ hasText: route }).getByRole("cell").allTextContents();
  await expect.poll(() => counts("POST /messages")).toEqual(["3", "1", "25%", "400 × 1"]);
  expect(await counts("GET /ping")).toEqual(["1", "0", "0%", "–"]);
  await page.getByText("4 succeeded and 1 refused (20%) since").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);

  const outcome = page.getByRole("combobox", { name: "Outcome" });
  await outcome.selectOption("refused");
  await expect.poll(() => counts("GET /ping")).toEqual([]);
  await row(refused.clientMessageId).waitFor();
  await outcome.selectOption("succeeded");
  await row(refused.clientMessageId).waitFor({ state: "detached" });
  await expect.poll(() => counts("GET /ping")).toEqual(["1", "0", "0%", "–"]);
  await outcome.selectOption("");

  await enter(page, summary.getByRole("button", { name: "GET /ping" }));
  await expect.poll(() => counts("POST /messages")).toEqual([]);
  await page.getByText("No matching requests").waitFor();
  expect(new URL(page.url()).searchParams.get("route")).toBe("GET /api/public/v1/ping");
  await page.getByRole("combobox", { name: "Route" }).selectOption("POST /messages");
  await row(refused.clientMessageId).waitFor();
  await summary.getByRole("button", { name: "400 × 1" }).click();
  await summary.waitFor({ state: "detached" });
  await row(refused.clientMessageId).waitFor();
  expect(new URL(page.url()).searchParams.get("status")).toBe("400");
});

test("of many refusals within a minute some are listed, and how many more there were is said", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const key = await createKey(world.server, world.demo.organization_id);
  for (let sent = 0; sent < 130; sent += 10) {
    await Promise.all(Array.from({ length: 10 }, () => ask("1", undefined, key.secret)));
  }
  await admin.go(`/requests?key=${key.id}`);
  const said = page.getByText(/and \d+ more in the hour from/);
  while ((await said.count()) === 0) {
    const older = page.getByRole("button", { name: "Older" });
    await older.or(said).first().waitFor();
    if ((await older.count()) === 0) break;
    const before = page.url();
    await older.click();
    await page.waitForURL((url) => url.href !== before);
    await page.locator("[aria-busy=false]").waitFor();
  }
  expect(await said.first().textContent()).toMatch(/and [1-9]\d* more/);
});

test("an agent sees what was refused, without ways to the keys", async () => {
  const { world } = suite();
  const { clientMessageId } = await ask("1");
  const agent = await world.open(await world.addMember("agent"));
  await agent.go("/requests");
  await agent.page.getByRole("row").filter({ hasText: clientMessageId }).getByRole("link").click();
  const dialog = agent.page.getByRole("dialog", { name: "Refused request" });
  await dialog.getByText(/^Test/).waitFor();
  expect(await dialog.getByRole("link", { name: "Test" }).count()).toBe(0);
  expect(await agent.page.getByRole("combobox", { name: "Key" }).count()).toBe(0);
  await agent.close();
});

test("the list, a request and the empty list pass axe", async () => {
  const { admin } = suite();
  const { page } = admin;
  const { clientMessageId, requestId } = await ask("1");
  await admin.go("/requests");
  await row(clientMessageId).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await admin.go(`/requests/${requestId}`);
  await panel().getByText(requestId, { exact: true }).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await admin.go("/requests?client=nothing");
  await page.getByText("No matching requests").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
});
