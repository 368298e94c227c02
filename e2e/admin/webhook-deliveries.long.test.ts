import { expect, test } from "vitest";
import { refused } from "@/e2e/admin/support/guard";
import { ENDINGS, newNumber, send } from "@/e2e/admin/support/send";
import { row } from "@/e2e/admin/support/parts";
import { callsOf, delivery, deliveries, untilCalled, useWebhookSuite } from "@/e2e/admin/support/webhooks";
import { customerWrites } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { addEndpoint, addPastDeliveries } from "@/server/domain/webhooks/testing";

const suite = useWebhookSuite({
  expects: refused("404 webhooks.inspectDelivery", "404 /o/*/webhooks/*/deliveries/*"),
});
const page = () => suite().admin.page;
const panel = () => page().getByRole("dialog", { name: "Delivery" });
const message = () => page().getByRole("dialog", { name: "Message", exact: true });

/** Creates an endpoint at the receiver. */
const add = (description: string) =>
  addEndpoint(suite().world.ctx, { url: suite().receiver.url, description });

test("filters stand in the address, survive a reload, and are undone by going back", async () => {
  const { admin, world } = suite();
  const { id } = await add("Filtered");
  const past = { count: 1, secondsAgo: 60 } as const;
  await addPastDeliveries(world.ctx, id, { ...past, state: "failed", type: "message.sent" });
  await addPastDeliveries(world.ctx, id, { ...past, state: "delivered", type: "message.read" });
  await addPastDeliveries(world.ctx, id, { ...past, state: "skipped", secondsAgo: 7_200 });
  const shown = () =>
    deliveries(page())
      .getByRole("rowheader")
      .allTextContents()
      .then((types) => types.toSorted());
  const choice = (name: string) => page().getByRole("combobox", { name, exact: true });
  await admin.go(`/webhooks/${id}`);
  await expect.poll(shown).toEqual(["message.read", "message.received", "message.sent"]);
  await choice("Time").selectOption("1h");
  await expect.poll(shown).toEqual(["message.read", "message.sent"]);
  await choice("State").selectOption("failed");
  await expect.poll(shown).toEqual(["message.sent"]);
  await expect.poll(() => new URL(page().url()).search).toBe("?range=1h&state=failed");
  await page().reload();
  await expect.poll(shown).toEqual(["message.sent"]);
  await choice("Type").selectOption("message.read");
  await page().getByText("No matching deliveries").waitFor();
  await page().goBack();
  await expect.poll(shown).toEqual(["message.sent"]);
  await page().getByRole("button", { name: "Clear" }).click();
  await expect.poll(shown).toEqual(["message.read", "message.received", "message.sent"]);
});

test("older ones are a page further on, and what comes in meanwhile is counted", async () => {
  const { admin, world } = suite();
  const { id } = await add("Many");
  await addPastDeliveries(world.ctx, id, { count: 26, state: "delivered" });
  await admin.go(`/webhooks/${id}`);
  await page().getByRole("button", { name: "Older" }).click();
  await expect.poll(() => deliveries(page()).getByRole("rowheader").count()).toBe(1);
  await addPastDeliveries(world.ctx, id, { state: "skipped", type: "message.failed", secondsAgo: 0 });
  await page().getByRole("button", { name: "1 new" }).click();
  await delivery(page(), "message.failed", "skipped").waitFor();
});

test("a delivery has an address of its own, and says of each attempt what came of it and what to do", async () => {
  const { admin, world, receiver } = suite();
  const { id } = await add("Told in full");
  receiver.answers((response) => void response.writeHead(503).end("Down for <b>maintenance</b>"));
  const { id: messageId } = await send(suite(), newNumber(ENDINGS.delivered));
  await untilCalled(receiver, "message.sent", 1);
  // The second attempt would follow after five seconds, before a slow machine has shown the first.
  await until("the first attempt is recorded, and the next is far away", async () => {
    const moved = await world.services.sql`
      update webhook_deliveries set next_attempt_at = now() + interval '1 hour'
      where event_id = (select id from webhook_events where message_id = ${messageId} and type = 'message.sent')
        and attempts = 1 and claim_token is null and state = 'pending' returning 1`;
    return moved.length === 1;
  });
  await admin.go(`/webhooks/${id}`);
  await delivery(page(), "message.sent", "pending").getByRole("link", { name: "message.sent" }).click();
  await panel()
    .getByText(/^Attempt 1: HTTP 503 after/)
    .waitFor();
  await panel().getByText("The endpoint did not accept the event.").waitFor();
  await panel().getByText("Check your program’s log at that time.").waitFor();
  await panel().getByText("Down for <b>maintenance</b>").waitFor();
  await panel().getByText("Next attempt:").waitFor();
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    await panel().getByRole("term").getByText(name, { exact: true }).first().waitFor();
  }
  await panel().getByRole("button", { name: "Copy original" }).click();
  await expect
    .poll(() => page().evaluate(() => navigator.clipboard.readText()))
    .toBe(callsOf(receiver, "message.sent")[0]?.body);
  receiver.answersStatus(204);
  await panel().getByRole("button", { name: "Send now: message.sent" }).click();
  await panel()
    .getByText(/^Attempt 2: HTTP 204/)
    .waitFor();
  await panel().getByText("The endpoint accepted the event.").waitFor();
  await world.services.sql`
    update webhook_deliveries set attempts_ever = 1234
    where event_id = (select id from webhook_events where message_id = ${messageId} and type = 'message.sent')`;
  await panel().getByText("Showing the latest 2 of 1,234 attempts.").waitFor();
  await panel().getByRole("link", { name: "this message" }).click();
  await message().getByText(messageId).first().waitFor();

  await world.services.sql`
    update webhook_events set body = null where message_id = ${messageId} and type = 'message.delivered'`;
  await message().getByRole("link", { name: "message.delivered" }).click();
  await panel().getByText("The body was erased together with the customer’s message.").waitFor();
  expect(await panel().getByRole("button", { name: /^Send/ }).count()).toBe(0);
  await admin.go(`/webhooks/${id}/deliveries/${messageId}`);
  await panel().getByText("The webhook endpoint has no such delivery.").waitFor();
});

test("what a customer wrote leads to the customer", async () => {
  const { admin, world } = suite();
  const { id } = await add("About");
  const from = world.demo.contacts.open_window.handle;
  const phoneNumberId = world.demo.phone_number_ids.default;
  await customerWrites(world.server.simulatorUrl, { phoneNumberId, from, body: "Where is it?" });
  await admin.go(`/webhooks/${id}`);
  const received = delivery(page(), "message.received", "delivered");
  await received.getByText("from a customer").waitFor();
  await received.getByRole("link").click();
  await panel().getByText('"body": "Where is it?"').waitFor();
  await panel().getByRole("link", { name: "this customer" }).click();
  await page().getByRole("heading", { name: "Conversations" }).waitFor();
  expect(page().url()).toContain("/contacts/");
});

test("an endpoint that fails says why, since when and until when, and gets well by itself", async () => {
  const { admin, receiver } = suite();
  const { id } = await add("Failing");
  await admin.go(`/webhooks/${id}`);
  await page().getByText("No deliveries yet").waitFor();
  receiver.answers((response) => void response.writeHead(301, { Location: "https://example.com/" }).end());
  await send(suite(), newNumber(ENDINGS.delivered));
  const alert = page().getByRole("alert").filter({ hasText: "All deliveries are failing" });
  await alert
    .getByText("The endpoint responded with a redirect, which Waypost doesn’t follow (HTTP 301).")
    .waitFor();
  await alert.getByText("Change the URL to the target of the redirect.").waitFor();
  await alert.getByText(/the endpoint is disabled in 5 days/).waitFor();
  await page().getByRole("heading", { level: 1 }).getByText("failing", { exact: true }).waitFor();
  await admin.go("/webhooks");
  await row(page(), "Failing").getByText("failing", { exact: true }).waitFor();
  await page().getByRole("link", { name: "Webhooks (one is failing)" }).waitFor();
  await page().getByTitle("one is failing").waitFor();
  await admin.go(`/webhooks/${id}`);
  await alert.waitFor();
  receiver.answersStatus(204);
  await page().getByRole("button", { name: "Send a test" }).click();
  await alert.waitFor({ state: "detached" });
  expect(await page().getByRole("heading", { level: 1 }).textContent()).toBe("Failing enabled");
  await admin.go("/webhooks");
  await page().getByRole("link", { name: "Webhooks", exact: true }).waitFor();
  expect(await page().getByTitle("one is failing").count()).toBe(0);
});

test("an endpoint that answers 410 is disabled, says so, and is enabled again", async () => {
  const { admin, receiver, world } = suite();
  const { id } = await add("Gone");
  await admin.go(`/webhooks/${id}`);
  await page().getByText("No deliveries yet").waitFor();
  receiver.answersStatus(410);
  await send(suite(), newNumber(ENDINGS.delivered));
  const notice = page().getByText(
    "This endpoint was disabled because it responded that it is permanently gone (HTTP 410)",
  );
  await notice.waitFor();
  await page().getByText("disabled: gone", { exact: true }).waitFor();
  receiver.answersStatus(204);
  await page().getByRole("button", { name: "Enable endpoint" }).click();
  await notice.waitFor({ state: "detached" });
  await page().getByRole("heading", { level: 1 }).getByText("enabled", { exact: true }).waitFor();
  await world.services.sql`
    update webhook_endpoints set disabled_at = now(), disabled_reason = 'failing', failing_since = now() - interval '5 days'
    where id = ${id}`;
  await page().getByText("because no delivery succeeded for five days").waitFor();
  expect(await page().getByRole("button", { name: "Disable" }).count()).toBe(0);
});

test("a replay whose answer was lost is done once, though the button is pressed again", async () => {
  const { world, receiver } = suite();
  const { id } = await add("Replayed");
  await addPastDeliveries(world.ctx, id, { state: "delivered", count: 2 });
  const own = await world.open(world.owner, { expects: /net::ERR_/ });
  let lost = 0;
  await own.page.route(/webhooks\.replay/, async (route) => {
    const isDryRun = route.request().postData()?.includes('"dry_run":true') ?? false;
    if (isDryRun || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await own.go(`/webhooks/${id}?dialog=replay`);
  const dialog = own.page.getByRole("dialog", { name: "Replay events" });
  await dialog.getByRole("radio", { name: "All" }).check();
  const button = dialog.getByRole("button", { name: "Replay 2" });
  await button.click();
  await dialog.getByText("The server can’t be reached").waitFor();
  const delivered = async () => {
    const [found] = await world.services.sql<{ count: number }[]>`
      select count(*)::int as count from webhook_deliveries where endpoint_id = ${id} and state = 'delivered'`;
    return found?.count === 2 && receiver.calls.length === 2;
  };
  await until("both are delivered again", delivered);
  await button.click();
  await dialog.waitFor({ state: "detached" });
  const replays = await world.services.sql`select count from webhook_replays where endpoint_id = ${id}`;
  expect([lost, [...replays], receiver.calls.length]).toEqual([1, [{ count: 2 }], 2]);
  await own.close();
});

test("a message shows what endpoints were told of it, to others than those who may manage webhooks without links", async () => {
  const { admin, world } = suite();
  const { id: messageId } = await send(suite(), newNumber(ENDINGS.delivered));
  const { id } = await add("Later");
  const [given = ""] = await addPastDeliveries(world.ctx, id, {
    messageId,
    state: "failed",
    type: "message.failed",
    secondsAgo: 0,
  });
  await admin.go(`/messages/${messageId}`);
  const reported = message().getByRole("table", { name: "Webhook deliveries, in the order of events" });
  await reported
    .getByRole("row")
    .filter({ hasText: "message.delivered" })
    .getByText("delivered")
    .last()
    .waitFor();
  await reported.getByRole("row").filter({ hasText: "Later" }).getByText("failed", { exact: true }).waitFor();
  await reported.getByRole("link", { name: "message.failed" }).click();
  await panel().getByText(given).first().waitFor();

  const agent = await world.open(await world.addMember("agent"));
  await agent.go(`/messages/${messageId}`);
  const readOnly = agent.page.getByRole("region", { name: "Webhook deliveries" });
  await readOnly.getByRole("row").filter({ hasText: "Later" }).getByText("failed", { exact: true }).waitFor();
  expect(await readOnly.getByRole("link").count()).toBe(0);
  await agent.close();
});
