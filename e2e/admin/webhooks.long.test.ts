import { expect, test } from "vitest";
import { refused } from "@/e2e/admin/support/guard";
import { holdBack } from "@/e2e/admin/support/hold-back";
import { enter, focused, press, tabTo } from "@/e2e/admin/support/keyboard";
import { ENDINGS, newNumber, send } from "@/e2e/admin/support/send";
import { fact, row } from "@/e2e/admin/support/parts";
import { callsOf, delivery, takeSecret, untilCalled, useWebhookSuite } from "@/e2e/admin/support/webhooks";
import { until } from "@/e2e/support/until";
import { addEndpoint, addPastDeliveries, PUBLIC_URL } from "@/server/domain/webhooks/testing";

const suite = useWebhookSuite({
  expects: refused(
    "400 webhooks.create",
    "400 webhooks.set",
    // Queried once more by the page of a removed endpoint, before it is left.
    "404 webhooks.inspect",
    "404 webhooks.deliveries",
  ),
});
const page = () => suite().admin.page;

test("an endpoint is sent an event again, disabled, enabled, and sent what it missed", async () => {
  const { admin, world, receiver } = suite();
  const { id } = await addEndpoint(world.ctx, { url: receiver.url, description: "Life of one" });
  await admin.go(`/webhooks/${id}`);
  await send(suite(), newNumber(ENDINGS.read));
  for (const type of ["message.sent", "message.delivered", "message.read"]) {
    await delivery(page(), type, "delivered").waitFor();
  }
  await page().getByRole("button", { name: "Redeliver: message.read" }).click();
  await untilCalled(receiver, "message.read", 2);
  const [first, again] = callsOf(receiver, "message.read");
  expect([again?.headers["webhook-id"], again?.body]).toEqual([first?.headers["webhook-id"], first?.body]);
  await page().getByText("The event is being sent again.").waitFor();

  await page().getByRole("button", { name: "Disable" }).click();
  await page().getByRole("button", { name: "Disable endpoint" }).click();
  await page().getByText("This endpoint is disabled").waitFor();
  const before = receiver.calls.length;
  await send(suite(), newNumber(ENDINGS.read));
  await page().getByText("3 so far").waitFor();
  await delivery(page(), "message.read", "skipped").waitFor();
  expect(receiver.calls).toHaveLength(before);
  expect(
    await page()
      .getByRole("button", { name: /^Redeliver/ })
      .count(),
  ).toBe(0);

  await page().getByRole("button", { name: "Enable endpoint" }).click();
  await page().getByText("3 events skipped while the endpoint was disabled").waitFor();
  await page().getByRole("button", { name: "Send skipped events" }).click();
  await page().getByText("3 deliveries", { exact: true }).waitFor();
  expect(receiver.calls).toHaveLength(before);
  await page().getByRole("button", { name: "Replay 3" }).click();
  await page().getByText("3 deliveries being sent again.").waitFor();
  await until("they arrived", () => receiver.calls.length === before + 3);
  await delivery(page(), "message.read", "skipped").waitFor({ state: "detached" });
  await page().getByText("skipped while the endpoint was disabled").waitFor({ state: "detached" });
  for (const words of ["disabled", "enabled"]) {
    await page().getByText(`${words} a webhook endpoint`).waitFor();
  }
  await page().getByText("sent earlier webhooks again").waitFor();
});

test("it is done by the keyboard alone, and the focus comes back to where it was", async () => {
  const { admin, receiver } = suite();
  await admin.go("/webhooks");
  const add = page().getByRole("button", { name: "Add an endpoint" }).first();
  await enter(page(), add);
  await focused(page().getByRole("textbox", { name: "URL" }));
  await page().keyboard.type(receiver.url);
  await press(page(), page().getByRole("checkbox", { name: "message.read" }), "Space");
  await tabTo(page(), page().getByRole("textbox", { name: "Description" }));
  await page().keyboard.type("By keyboard");
  await page().keyboard.press("Enter");
  await focused(page().getByRole("button", { name: "Copy: Secret" }));
  await page().keyboard.press("Enter");
  await page().getByRole("button", { name: "Copied: Secret" }).waitFor();
  await page().keyboard.press("Escape");
  await page().getByRole("dialog").waitFor({ state: "detached" });
  await focused(add);

  await enter(page(), page().getByRole("link", { name: "By keyboard" }));
  const test = page().getByRole("button", { name: "Send a test" });
  await enter(page(), test);
  await page().getByText("The test was accepted").waitFor();
  await focused(test);
  const link = page().getByRole("link", { name: "webhook.test" });
  await enter(page(), link);
  const panel = page().getByRole("dialog", { name: "Delivery" });
  await enter(page(), panel.getByRole("button", { name: "Redeliver: webhook.test" }));
  await untilCalled(receiver, "webhook.test", 2);
  await panel.getByText(/^Attempt 2: HTTP 204/).waitFor();
  await page().keyboard.press("Escape");
  await focused(link);

  const disable = page().getByRole("button", { name: "Disable" });
  await enter(page(), disable);
  await focused(page().getByRole("button", { name: "Cancel" }));
  await page().keyboard.press("Escape");
  await focused(disable);
  await enter(page(), page().getByRole("button", { name: "Replay…" }));
  await focused(page().getByRole("radio", { checked: true }));
  await page().keyboard.press("ArrowDown");
  await page().getByText("0 deliveries", { exact: true }).waitFor();
  await page().keyboard.press("Escape");

  await enter(page(), page().getByRole("button", { name: "Remove" }));
  await focused(page().getByRole("textbox", { name: "Its description" }));
  await page().keyboard.type("By keyboard");
  await page().keyboard.press("Enter");
  await page().getByText("By keyboard was removed.").waitFor();
  // The endpoint's own page has rows of that name, too: in its audit trail.
  await page().waitForURL(/\/webhooks$/);
  await row(page(), "By keyboard").waitFor({ state: "detached" });
  expect(receiver.calls).toHaveLength(2);
});

test("where a button goes once it is pressed, the focus is at what the endpoint is, and not lost", async () => {
  const { admin, world, receiver } = suite();
  const { id } = await addEndpoint(world.ctx, { url: receiver.url, description: "Focused" });
  await admin.go(`/webhooks/${id}`);
  const title = page().getByRole("heading", { level: 1 }).locator("span").first();
  const button = (name: string) => page().getByRole("button", { name, exact: true });
  await button("Send a test").waitFor();
  const readAnew = await holdBack(page(), /webhooks\.inspect/);
  await enter(page(), button("Send a test"));
  await enter(page(), button("Close test result"));
  // Until then the test's button is busy: when that ends, the focus must stay where it is.
  await readAnew();
  await focused(title);
  await press(page(), page().getByRole("combobox", { name: "State", exact: true }), "f");
  await enter(page(), button("Clear"));
  await focused(page().getByRole("combobox", { name: "State", exact: true }));
  await enter(page(), button("Disable"));
  await focused(button("Cancel"));
  await enter(page(), button("Disable endpoint"));
  await focused(title);
  await addPastDeliveries(world.ctx, id, { state: "skipped", count: 2 });
  await enter(page(), button("Enable endpoint"));
  await focused(title);
  await enter(page(), button("Send skipped events"));
  await focused(page().getByRole("radio", { checked: true }));
  await enter(page(), button("Replay 2"));
  await page().getByText("skipped while the endpoint was disabled").waitFor({ state: "detached" });
  await focused(title);
  await untilCalled(receiver, "message.received", 2);
  expect(callsOf(receiver, "message.received")).toHaveLength(2);
});

test("what the server refuses of a new endpoint stands at its field, and what was typed stays", async () => {
  await suite().admin.go("/webhooks?dialog=create");
  const url = page().getByRole("textbox", { name: "URL" });
  const save = page().getByRole("button", { name: "Add endpoint" });
  await url.fill("https://localhost/hook");
  await save.click();
  await page().getByText("its host is a name of a private network").waitFor();
  await page().getByText("npm run -s waypost -- webhook listen --forward URL").waitFor();
  await focused(url);
  expect(await url.inputValue()).toBe("https://localhost/hook");
  await url.fill(PUBLIC_URL);
  for (const box of await page()
    .getByRole("checkbox", { name: /^(message|contact)\./ })
    .all())
    await box.uncheck();
  await save.click();
  await page().getByText("Must name at least one type of event").waitFor();
  await page().getByRole("checkbox", { name: "message.failed" }).check();
  await page().getByRole("textbox", { name: "Description" }).fill("a".repeat(501));
  await save.click();
  await page().getByText("Must have at most 500 characters").waitFor();
  await page().getByRole("textbox", { name: "Description" }).fill("Refused earlier");
  await page().getByRole("radio", { name: "Selected channels only" }).check();
  await page().getByRole("checkbox", { name: "Support" }).check();
  await save.click();
  await takeSecret(page());
  const cells = row(page(), "Refused earlier").getByRole("cell");
  await expect
    .poll(() => cells.allTextContents())
    .toEqual(expect.arrayContaining(["enabled", "failed", "Support"]));
});

test("what was touched is changed, and nothing that somebody else has changed meanwhile", async () => {
  const { admin, world } = suite();
  const { id } = await addEndpoint(world.ctx, { url: PUBLIC_URL, description: "Changeable" });
  await admin.go(`/webhooks/${id}?dialog=change`);
  await page().getByRole("textbox", { name: "URL" }).fill("https://10.0.0.1/hook");
  await page().getByRole("button", { name: "Save" }).click();
  await page().getByText("its address isn't public").waitFor();
  await page().getByRole("textbox", { name: "URL" }).fill(`${PUBLIC_URL}/other?token=hidden`);
  await world.services.sql`update webhook_endpoints set description = 'By another' where id = ${id}`;
  await page().getByRole("button", { name: "Save" }).click();
  await page().getByRole("heading", { level: 1, name: "By another" }).waitFor();
  expect(await fact(page(), "URL").textContent()).toContain("/hook/other?…");
  await page().getByText("changed a webhook endpoint").waitFor();
});
