import { expect, test } from "vitest";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { refused } from "@/e2e/admin/support/guard";
import { ENDINGS, newNumber, send } from "@/e2e/admin/support/send";
import { delivery, takeSecret, untilCalled, useWebhookSuite } from "@/e2e/admin/support/webhooks";
import { addEndpoint, addPastDeliveries, PUBLIC_URL } from "@/server/domain/webhooks/testing";

const suite = useWebhookSuite({ expects: refused("400 webhooks.create") });
const page = () => suite().admin.page;
const button = (name: string) => page().getByRole("button", { name, exact: true });

const LONG_URL = `https://hooks.example.com/${"a-long-name/".repeat(40)}?token=${"b".repeat(200)}`;

test("the list passes axe and fits, empty and with endpoints of every kind", async () => {
  const { admin, world } = suite();
  const check = async (what: string) => expect([what, ...(await faultsInEachForm(page()))]).toEqual([what]);
  const { ctx } = world;
  await admin.go("/webhooks");
  await page().getByText("No endpoints yet").waitFor();
  await check("the empty list");
  const hourAgo = new Date(Date.now() - 3_600_000);
  await addEndpoint(ctx, { url: LONG_URL });
  await addEndpoint(ctx, { url: LONG_URL, description: "unbroken".repeat(60), failingSince: hourAgo });
  await addEndpoint(ctx, { url: null, description: "Fetched", events: ["message.failed"] });
  for (const disabledReason of ["member", "failing", "gone"] as const) {
    await addEndpoint(ctx, { url: PUBLIC_URL, disabledAt: hourAgo, disabledReason });
  }
  await page().getByText("Fetched", { exact: true }).waitFor();
  await check("the list");
  await page().getByRole("button", { name: "Add an endpoint" }).click();
  await page().getByRole("textbox", { name: "URL" }).fill("https://localhost");
  await button("Add endpoint").click();
  await page().getByText("its host is a name of a private network").waitFor();
  await check("the form of a new one, with what was refused");
  await page().getByRole("textbox", { name: "URL" }).fill(PUBLIC_URL);
  await page().getByRole("radio", { name: "Selected channels only" }).check();
  await page().getByRole("checkbox", { name: "Support" }).waitFor();
  await button("Add endpoint").click();
  await page().getByText("Must name at least one channel").waitFor();
  await check("the form with channels, and what was refused");
  await page().getByRole("checkbox", { name: "Support" }).check();
  await button("Add endpoint").click();
  await page().getByRole("textbox", { name: "Secret" }).waitFor();
  await check("the secret");
  await takeSecret(page());
});

test("an endpoint’s page passes axe and fits, however the endpoint fares", async () => {
  const { admin, world, receiver } = suite();
  const { ctx, services } = world;
  const check = async (what: string) => expect([what, ...(await faultsInEachForm(page()))]).toEqual([what]);
  const { id } = await addEndpoint(ctx, { url: `${receiver.url}?${"q".repeat(300)}`, description: "One" });
  await admin.go(`/webhooks/${id}`);
  await page().getByText("No deliveries yet").waitFor();
  await check("the page of a new one");
  receiver.answers((response) => void response.writeHead(500).end("unbroken".repeat(200)));
  await button("Send a test").click();
  await page().getByText("The test failed").waitFor();
  await page().getByText("Show response").click();
  await check("the result of a test that failed");
  const { id: messageId } = await send(suite(), newNumber(ENDINGS.delivered));
  await untilCalled(receiver, "message.delivered", 1);
  await page().getByText("All deliveries are failing").waitFor();
  await delivery(page(), "message.sent", "pending").waitFor();
  await check("one that fails");
  await delivery(page(), "message.sent", "pending").getByRole("link", { name: "message.sent" }).click();
  const panel = page().getByRole("dialog", { name: "Delivery" });
  await panel.getByText(/^Attempt 1: HTTP 500/).waitFor();
  await panel.getByText("Show response").first().click();
  await check("a delivery");
  await page().keyboard.press("Escape");
  await button("Rotate secret").click();
  await page().getByRole("dialog", { name: "Rotate the secret of One" }).waitFor();
  await check("the question about a new secret");
  await button("Create new secret").click();
  await takeSecret(page());
  await page().getByText("New signing secret", { exact: true }).waitFor();
  await button("Disable").click();
  await page().getByRole("dialog", { name: "Disable One" }).waitFor();
  await check("the question about disabling");
  await button("Disable endpoint").click();
  await page().getByText("This endpoint is disabled").waitFor();
  await addPastDeliveries(ctx, id, { state: "skipped", count: 3 });
  await page()
    .getByText(/\d so far/)
    .waitFor();
  await check("one that is disabled");
  await button("Enable endpoint").click();
  await button("Send skipped events").click();
  await page()
    .getByText(/^\d deliveries$/)
    .waitFor();
  await page().getByRole("combobox", { name: "Time" }).last().selectOption("From … to …");
  await check("the replay");
  await page().keyboard.press("Escape");
  await button("Change").click();
  await page().getByRole("dialog").getByRole("textbox", { name: "URL" }).waitFor();
  await check("the form of changes");
  await page().keyboard.press("Escape");
  await button("Remove").click();
  await page().getByRole("dialog", { name: "Remove One" }).waitFor();
  await check("the question about removing");
  await page().keyboard.press("Escape");
  await services.sql`
    update webhook_endpoints set disabled_at = now(), disabled_reason = 'failing', failing_since = now() - interval '5 days'
    where id = ${id}`;
  await page().getByText("because no delivery succeeded for five days").waitFor();
  await check("one that was disabled after failures");

  await admin.go(`/messages/${messageId}`);
  await page().getByRole("table", { name: "Webhook deliveries, in the order of events" }).waitFor();
  await check("a message with its webhook deliveries");
});
