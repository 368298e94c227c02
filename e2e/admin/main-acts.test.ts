import { expect, test } from "vitest";
import { accountPath, REFUSED } from "@/e2e/admin/support/account";
import { refused } from "@/e2e/admin/support/guard";
import { chooseItem, enter, focused, press, tabTo } from "@/e2e/admin/support/keyboard";
import {
  copyAndClose,
  createByHand,
  expectExplainedScopes,
  scopeBox,
  shownSecret,
} from "@/e2e/admin/support/keys";
import { fact, row } from "@/e2e/admin/support/parts";
import { ENDINGS, newNumber, send } from "@/e2e/admin/support/send";
import { signInAs } from "@/e2e/admin/support/sign-in";
import { addByHand, callsOf, delivery, useWebhookSuite, verify } from "@/e2e/admin/support/webhooks";
import { pingWith } from "@/e2e/support/api";
import { createKey } from "@/server/domain/keys/create";
import { createOrganization } from "@/server/domain/organizations/create";

const suite = useWebhookSuite({ expects: refused("400 messages.sendTest") });
const page = () => suite().admin.page;
const ping = (key: string) => pingWith(suite().api, key);
const messageRow = (text: string) => row(page(), text);
const panel = () => page().getByRole("dialog", { name: "Message", exact: true });
const search = () => page().getByLabel("Search messages");

test("signing in goes on to the page that was asked for, and signing out ends it", async () => {
  const { world } = suite();
  const person = await world.addMember("agent");
  const { page, go, close } = await world.visit(REFUSED);
  await go(`/o/${world.demo.organization_id}/usage?range=90d`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await signInAs(page, person);
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe(`/o/${world.demo.organization_id}/usage?range=90d`);
  await enter(page, page.getByRole("button", { name: "Your account" }));
  await chooseItem(page, "Sign out");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await go(accountPath(world));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  await close();
});

test("a key is created, used, given a new secret with an overlap, and revoked, and its page tells each", async () => {
  const { world, api } = suite();
  const { page, go, close } = await world.open(world.owner);
  await go("/keys");
  const first = await createByHand(page, "Life of a key", async () => {
    await expectExplainedScopes(page);
    await scopeBox(page, "contacts:write").uncheck();
    await scopeBox(page, "templates:read").uncheck();
    await page.getByRole("combobox", { name: "Expires" }).click();
    await page.getByRole("option", { name: "In 30 days" }).click();
  });
  expect(await ping(first)).toBe(200);
  await row(page, "Life of a key").getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Life of a key" }).waitFor();
  await expect.poll(() => fact(page, "Last used").textContent()).not.toBe("never");
  expect(await fact(page, "Scopes").textContent()).toBe("messages: send, read; contacts: read");
  expect(await fact(page, "Expires").textContent()).toMatch(/^in 30 days, /);
  const list = { path: "/messages?limit=1", key: first };
  expect((await api.call(list)).status).toBe(200);

  // With the keyboard only.
  await enter(page, page.getByRole("button", { name: "Rotate secret" }));
  await focused(page.getByRole("radio", { checked: true }));
  const hour = page.getByRole("radio", { name: "Works for another hour" });
  for (let step = 0; step < 5 && !(await hour.isChecked()); step++) await page.keyboard.press("ArrowDown");
  await press(page, page.getByRole("switch", { name: "Also change the scopes" }), "Space");
  await press(page, scopeBox(page, "messages:read"), "Space");
  await press(page, scopeBox(page, "webhooks:manage"), "Space");
  await enter(page, page.getByRole("button", { name: "Create new secret" }));
  const second = await shownSecret(page);
  await copyAndClose(page);
  expect([await ping(first), await ping(second)]).toEqual([200, 200]);
  expect((await api.call(list)).code).toBe("missing_scope");
  await expect
    .poll(() => fact(page, "Scopes").textContent())
    .toBe("messages: send; contacts: read; webhooks: manage");
  await page.getByText("previous, still works").waitFor();
  await world.services.sql`
    update api_key_secrets set ends_at = clock_timestamp()
    where organization_id = ${world.demo.organization_id} and ends_at > clock_timestamp()`;
  expect([await ping(first), await ping(second)]).toEqual(["api_key_revoked", 200]);

  await page.getByRole("button", { name: "Revoke" }).click();
  const revoke = page.getByRole("button", { name: "Revoke key" });
  await page.getByRole("textbox", { name: "Name of the key" }).fill("Life of another key");
  expect(await revoke.isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Name of the key" }).fill("Life of a key");
  await page.getByRole("textbox", { name: "Reason" }).fill("Its program is gone");
  await revoke.click();
  await page.getByText("Every request with it is refused").waitFor();
  expect(await ping(second)).toBe("api_key_revoked");
  for (const words of ["created an API key", "gave an API key a new secret", "Its program is gone"]) {
    await page.getByText(words).waitFor();
  }
  expect(await page.getByRole("button", { name: "Rotate secret" }).count()).toBe(0);
  await close();
});

test("an agent without integrations.manage_api doesn’t see the keys, and is refused where their address is known", async () => {
  const { world } = suite();
  const { page, go, close } = await world.open(await world.addMember("agent"), {
    expects: refused("403 keys.list"),
  });
  await go("/keys");
  await page.getByText("You don’t have access to this page").waitFor();
  expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  expect(await page.getByRole("link", { name: "API keys" }).count()).toBe(0);
  expect(await page.getByRole("table").count()).toBe(0);
  await close();
});

test("another organization’s key is answered as one that never was", async () => {
  const { world } = suite();
  const { ctx } = await createOrganization({
    services: world.services,
    job: "test",
    input: { name: "Other" },
  });
  const { id } = await createKey({ ctx, input: { name: "Foreign" } });
  const { page, close } = await world.open(world.owner, { expects: refused("404 /o/*/keys/*") });
  for (const one of [id, "01900000-0000-7000-8000-000000000000", "no-id"]) {
    const answer = await page.goto(`${world.server.baseUrl}/o/${world.demo.organization_id}/keys/${one}`);
    expect(answer?.status()).toBe(404);
    await page.getByRole("heading", { name: "This key doesn’t exist" }).waitFor();
    expect(await page.content()).not.toContain("Foreign");
  }
  await close();
});

test("a message that is sent appears in the list and changes its state there and on its page, without reloading", async () => {
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/messages");
  await page.getByRole("heading", { name: "Messages" }).waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isStillThisPage: true }));
  const delivered = await send(suite(), newNumber(ENDINGS.delivered));
  await messageRow(delivered.clientMessageId).getByText("delivered", { exact: true }).waitFor();

  const { clientMessageId } = await send(suite(), newNumber(ENDINGS.read));
  await messageRow(clientMessageId).getByRole("link").click();
  await panel().getByText("read", { exact: true }).waitFor();
  await panel().getByText("The customer has read the message.").waitFor();
  await panel().getByText("Attempt 1: accepted by WhatsApp").waitFor();
  await page.keyboard.press("Escape");
  const link = messageRow(clientMessageId).getByRole("link");
  await focused(link);
  await messageRow(clientMessageId).getByText("read", { exact: true }).waitFor();
  expect(await page.evaluate(() => "isStillThisPage" in globalThis)).toBe(true);
});

test("the search finds a message by its number as people write it, and says where nothing fits", async () => {
  const { admin } = suite();
  const { clientMessageId } = await send(suite(), "4915123456789");
  const other = await send(suite(), newNumber(ENDINGS.read));
  await admin.go("/messages");
  await messageRow(other.clientMessageId).waitFor();
  await search().fill("+49 (0)151 2345-6789");
  await messageRow(other.clientMessageId).waitFor({ state: "detached" });
  await messageRow(clientMessageId).waitFor();
  // One row is the table's header.
  await expect.poll(() => page().getByRole("row").count()).toBe(2);
  await search().fill("no such thing");
  await page().getByText("No matching messages").waitFor();
  await page().getByRole("button", { name: "Clear search and filters" }).click();
  await messageRow(clientMessageId).waitFor();
});

test("a failed message says why and what to do, and is sent again where that is safe", async () => {
  const { admin } = suite();
  const { page } = admin;
  const { id } = await send(suite(), newNumber(ENDINGS.windowClosed));
  await admin.go(`/messages/${id}`);
  await panel().getByText("failed", { exact: true }).waitFor();
  await panel().getByText("WhatsApp reports that the 24-hour customer service window is closed.").waitFor();
  await panel().getByText("WhatsApp error code 131047: Re-engagement message", { exact: true }).waitFor();
  await panel().getByText("Send an approved template, or wait until the customer writes.").waitFor();
  // With the keyboard only.
  await enter(page, panel().getByRole("button", { name: "Send again" }));
  const question = page.getByRole("dialog", { name: "Send this message again" });
  expect(await question.getByRole("checkbox").count()).toBe(0);
  await enter(page, question.getByRole("button", { name: "Send again" }));
  await page.getByText("The message was sent again.").waitFor();
  await panel().getByText("This is a resend of").waitFor();
  expect(page.url()).not.toContain(id);
});

test("a test message keeps what was typed on an error, and opens once it is sent; by keyboard alone", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  await admin.go("/messages");
  const opener = page.getByRole("button", { name: "Send a test message" });
  const dialog = page.getByRole("dialog", { name: "Send a test message" });
  const number = dialog.getByLabel("Number");
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  await focused(number);
  await page.keyboard.press("Escape");
  await focused(opener);
  await page.keyboard.press("Enter");
  await focused(number);
  expect(await number.inputValue()).toBe(`+${world.demo.contacts.open_window.handle}`);
  await page.keyboard.type("12");
  await tabTo(page, dialog.getByLabel("Message text"));
  await page.keyboard.type("Hello from a test");
  await tabTo(page, dialog.getByRole("button", { name: "Send", exact: true }));
  await page.keyboard.press("Enter");
  await dialog.getByText(/Write the number with its country|valid WhatsApp number/).waitFor();
  expect(await number.inputValue()).toBe("12");
  await tabTo(page, number);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(world.demo.contacts.open_window.handle);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await panel().getByText("Hello from a test").waitFor();
  await panel().getByText("read", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
  await enter(page, opener);
  expect(await number.inputValue()).toBe(world.demo.contacts.open_window.handle);
  await page.keyboard.press("Escape");
});

test("an endpoint that is added takes a test, and is told of a message", async () => {
  const { admin, receiver } = suite();
  await admin.go("/webhooks");
  const secret = await addByHand(page(), {
    url: `${receiver.url}?token=hidden`,
    description: "Life of one",
  });
  expect(await row(page(), "Life of one").textContent()).not.toContain("hidden");
  await page().getByRole("link", { name: "Life of one" }).click();
  await page().getByText("No deliveries yet").waitFor();

  receiver.answers((response) => void response.writeHead(202).end("Thank you"));
  await page().getByRole("button", { name: "Send a test" }).click();
  await page().getByText("The test was accepted").waitFor();
  await page()
    .getByText(/^HTTP 202 after \d+ ms/)
    .waitFor();
  await page().getByText("Thank you").waitFor();
  await delivery(page(), "webhook.test", "delivered").waitFor();

  await send(suite(), newNumber(ENDINGS.read));
  for (const type of ["message.sent", "message.delivered", "message.read"]) {
    await delivery(page(), type, "delivered").waitFor();
    for (const call of callsOf(receiver, type)) expect(verify(secret, call)).toMatchObject({ type });
  }
  await page().getByText("added a webhook endpoint").waitFor();
});
