import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { enter } from "@/e2e/admin/support/keyboard";
import { row } from "@/e2e/admin/support/parts";
import { ENDINGS, newNumber, send } from "@/e2e/admin/support/send";
import { useSuite } from "@/e2e/admin/support/suite";
import { ERRORS } from "@/server/platform/errors";

const suite = useSuite();
/** The example's number until a customer is known who may be written to. */
const EXAMPLE_NUMBER = "4915112345678";

/** Sends a text to a number from which nobody has written: it is refused immediately. */
async function refuse(handle: string): Promise<string> {
  const clientMessageId = `test-${randomUUID()}`;
  const json = {
    client_message_id: clientMessageId,
    type: "text",
    to: { kind: "whatsapp", handle },
    text: { body: "Hello" },
  };
  const { status } = await suite().api.call({ path: "/messages", key: suite().key.secret, json });
  expect(status).toBe(422);
  return clientMessageId;
}

test("an empty Messages page shows three steps, each ticked when it is done", async () => {
  const { world } = suite();
  const { page, go, close } = await world.open(world.owner);
  await go("/messages");
  const steps = page.getByRole("region", { name: "Get started" });
  const terminal = steps.getByRole("textbox", { name: "Run this in a terminal" });
  await expect.poll(() => terminal.inputValue()).not.toContain(EXAMPLE_NUMBER);
  expect(await steps.getByRole("listitem").count()).toBe(3);
  expect(await steps.getByText(": done").count()).toBe(0);
  expect(await faultsInEachForm(page)).toEqual([]);
  const line = await terminal.inputValue();
  expect(line).toContain("Bearer $WAYPOST_KEY");
  await enter(page, steps.getByRole("button", { name: "Create a key for this command" }));
  await steps.getByText("which is shown only now").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  const { stdout } = await promisify(execFile)("sh", ["-c", await terminal.inputValue()]);
  expect(JSON.parse(stdout)).toMatchObject({ message_id: expect.any(String) });
  await steps.getByText("All three steps are done").waitFor();
  expect(await steps.getByText(": done").count()).toBe(3);
  await row(page, "hello-1").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  // As for an endpoint without a URL.
  await world.services.sql`
    update webhook_deliveries set state = 'available' where organization_id = ${world.ctx.actor.organizationId}`;
  await page.reload();
  await steps.getByText("All three steps are done").waitFor();
  await enter(page, steps.getByRole("button", { name: "Hide these steps" }));
  await steps.waitFor({ state: "detached" });
  await close();
});

test("what was refused stands under the customer's number, in the conversation, at its time", async () => {
  const { world } = suite();
  const { page, go, close } = await world.open(world.owner);
  const number = newNumber(ENDINGS.read);
  const before = await send(suite(), number);
  const refusedId = await refuse(number);
  const after = await send(suite(), number);
  await go("/messages");
  const search = page.getByLabel("Search messages");
  await search.fill(`+${number.slice(0, 2)} ${number.slice(2)}`);
  await row(page, refusedId).waitFor();
  const ids = async () => {
    const texts = await page.getByRole("row").allTextContents();
    const all = [before.clientMessageId, refusedId, after.clientMessageId];
    return texts.flatMap((text) => all.filter((id) => text.includes(id)));
  };
  expect(await ids()).toEqual([after.clientMessageId, refusedId, before.clientMessageId]);
  expect(await faultsInEachForm(page)).toEqual([]);
  const [message] = await world.services.sql<{ threadId: string }[]>`
    select conversation_id as "threadId" from messages where id = ${before.id}`;
  await search.fill(message?.threadId ?? "");
  await row(page, refusedId).waitFor();
  expect(await ids()).toEqual([after.clientMessageId, refusedId, before.clientMessageId]);
  await enter(page, row(page, refusedId).getByRole("link", { name: "outside_customer_window" }));
  await page.getByRole("dialog", { name: "Refused request" }).getByText(refusedId).waitFor();
  await close();
});

test("a number that only refusals know is found by it, on both pages", async () => {
  const { admin } = suite();
  const { page } = admin;
  const number = newNumber(ENDINGS.delivered);
  const refusedId = await refuse(number);
  for (const path of [`/messages?q=${number}`, `/requests?to=${number}`]) {
    await admin.go(path);
    await row(page, refusedId).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
  }
});

test("where refusals of the time weren't kept one by one, a number finds that, too, with and without others", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  const number = newNumber(ENDINGS.delivered);
  const refusedId = await refuse(number);
  await admin.go(`/messages?q=${number}`);
  await row(page, refusedId).waitFor();
  await world.services.sql`
    update refusal_hours set refused = refused + 5000
    where organization_id = ${world.ctx.actor.organizationId} and key_id = ${suite().key.id}`;
  for (const searched of [number, newNumber(ENDINGS.delivered)]) {
    await admin.go(`/messages?q=${searched}`);
    await page.getByText(/[\d,]{5,} more requests were refused, but not stored individually/).waitFor();
    expect(await page.getByText("This may include requests to this customer").count()).toBe(1);
    expect(await page.getByText("No matching messages").count()).toBe(searched === number ? 0 : 1);
    expect(await faultsInEachForm(page)).toEqual([]);
  }
  await enter(page, page.getByRole("link", { name: "See counts per hour" }));
  await page
    .getByText(/and [\d,]{5,} more in the hour .* This may include requests to this customer/)
    .waitFor();
});

test("support's next step about a refused request comes before what the integration does", async () => {
  const { admin, api, key } = suite();
  const { page } = admin;
  const clientMessageId = `test-${randomUUID()}`;
  const json = {
    client_message_id: clientMessageId,
    type: "template",
    to: { kind: "whatsapp", handle: newNumber(ENDINGS.read) },
    template: { template_submission_id: randomUUID(), variables: {} },
  };
  expect((await api.call({ path: "/messages", key: key.secret, json })).status).toBe(422);
  await admin.go("/requests");
  const { staffRemedy } = ERRORS.template_not_approved;
  await row(page, clientMessageId).getByText(staffRemedy.slice(0, 50)).waitFor();
  await enter(page, row(page, clientMessageId).getByRole("link", { name: /template_not_approved/ }));
  const panel = page.getByRole("dialog", { name: "Refused request" });
  await panel.getByText(staffRemedy.slice(0, 50)).waitFor();
  await panel.getByText(/^For the developer of the integration: Use a template/).waitFor();
});

test("a paused channel is announced where its messages are looked for, and at the page that helps", async () => {
  const { world } = suite();
  const { sql } = world.services;
  const [channel] = await sql<{ id: string; name: string }[]>`
    select id, name from channels where organization_id = ${world.ctx.actor.organizationId} and is_default`;
  if (channel === undefined) throw new Error("The demo has no channel");
  await sql`
    update channels set paused_at = now(), pause_reason = 'credentials_invalid', upstream = 'meta',
      next_probe_at = now() + interval '1 hour'
    where id = ${channel.id}`;
  const agent = await world.open(await world.addMember("agent"));
  const { id } = await send(suite(), newNumber(ENDINGS.read));
  await agent.go(`/messages/${id}`);
  await agent.page.getByText(/Next check whether the channel works again: \S/).waitFor();
  await agent.go("/messages");
  await agent.page.getByText(`${channel.name} is paused: The access token is invalid`).waitFor();
  await agent.page.getByText("1 message is waiting").waitFor();
  await agent.page.getByRole("link", { name: "Channels (one is paused)" }).waitFor();
  expect(await faultsInEachForm(agent.page)).toEqual([]);
  await enter(agent.page, agent.page.getByRole("link", { name: "See what to do" }));
  await agent.page.getByText("An owner or admin of the organization can do this").waitFor();
  expect(await agent.page.getByRole("button", { name: "Replace access token" }).count()).toBe(0);
  expect(await agent.page.getByText(/--credentials|npm run/).count()).toBe(0);
  await agent.close();

  const { page, go, close } = await world.open(world.owner);
  await go(`/channels/${channel.id}`);
  await enter(page, page.getByRole("button", { name: "Replace access token" }));
  await page.getByRole("dialog").getByRole("textbox", { name: "Access token", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await faultsInEachForm(page)).toEqual([]);
  await sql`
    update channels set paused_at = null, pause_reason = null, upstream = 'simulator', next_probe_at = null
    where id = ${channel.id}`;
  await close();
});

test("who goes to another page while the server is away stays, is told so, and gets there by itself", async () => {
  const { world } = suite();
  const { page, go, close } = await world.open(world.owner, { expects: /net::ERR_|status of 502/ });
  let away: "abort" | "proxy" | null = null;
  await page.route("**/*", (route) => {
    if (away === null || route.request().headers().rsc === undefined) return route.continue();
    return away === "abort" ? route.abort("connectionrefused") : route.fulfill({ status: 502, body: "Bad" });
  });
  await go("/messages");
  // A full page load would lose this mark.
  await page.evaluate(() => void (document.body.dataset.kept = "yes"));
  for (const [how, name] of [
    ["abort", "Contacts"],
    ["proxy", "Templates"],
  ] as const) {
    const here = page.url();
    away = how;
    await enter(page, page.getByRole("navigation").getByRole("link", { name, exact: true }));
    await page.getByRole("alert").getByText("Can’t reach the server").waitFor();
    expect(page.url()).toBe(here);
    expect(await faultsInEachForm(page)).toEqual([]);
    away = null;
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByText("Can’t reach the server").waitFor({ state: "detached" });
  }
  expect(await page.evaluate(() => document.body.dataset.kept)).toBe("yes");
  await close();
});
