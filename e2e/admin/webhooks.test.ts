import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { refused } from "@/e2e/admin/support/guard";
import { enter, focused, press, tabTo } from "@/e2e/admin/support/keyboard";
import { nowhereInDatabase } from "@/e2e/admin/support/secrecy";
import { ENDINGS, newNumber, send } from "@/e2e/admin/support/send";
import { addByHand, delivery, fact, row, takeSecret, useWebhookSuite } from "@/e2e/admin/support/webhooks";
import { until } from "@/e2e/support/until";
import { addEndpoint, PUBLIC_URL, type ReceivedCall } from "@/server/webhooks/testing";

const suite = useWebhookSuite({
  expects: refused(
    "400 webhooks.create",
    "400 webhooks.set",
    "404 /o/*/webhooks/*",
    // Asked for by the page of what is removed, before it is left.
    "404 webhooks.inspect",
  ),
});
const page = () => suite().admin.page;

/** Throws unless the secret signed the call. */
const verify = (secret: string, { body, headers }: ReceivedCall) =>
  new Webhook(secret).verify(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  );

const calls = (type: string) => suite().receiver.calls.filter(({ body }) => JSON.parse(body).type === type);
const called = (type: string, times: number) =>
  until(`${type} arrived ${times} times`, () => calls(type).length >= times);

test(
  "an endpoint is added, tested, told of a message, disabled, enabled, and sent what it missed",
  { timeout: 120_000 },
  async () => {
    const { admin, receiver } = suite();
    await admin.go("/webhooks");
    const secret = await addByHand(page(), {
      url: `${receiver.url}?token=hidden`,
      description: "Life of one",
    });
    expect(await row(page(), "Life of one").textContent()).not.toContain("hidden");
    await page().getByRole("link", { name: "Life of one" }).click();
    await page().getByText("Nothing happened yet that it is told of").waitFor();

    receiver.answers((response) => void response.writeHead(202).end("Thank you"));
    await page().getByRole("button", { name: "Send a test" }).click();
    await page().getByText("The test was taken").waitFor();
    await page()
      .getByText(/^HTTP 202 after \d+ ms/)
      .waitFor();
    await page().getByText("Thank you").waitFor();
    await delivery(page(), "webhook.test", "delivered").waitFor();

    await send(suite(), newNumber(ENDINGS.read));
    for (const type of ["message.sent", "message.delivered", "message.read"]) {
      await delivery(page(), type, "delivered").waitFor();
      for (const call of calls(type)) expect(verify(secret, call)).toMatchObject({ type });
    }

    await page().getByRole("button", { name: "Send again: message.read" }).click();
    await called("message.read", 2);
    const [first, again] = calls("message.read");
    expect([again?.headers["webhook-id"], again?.body]).toEqual([first?.headers["webhook-id"], first?.body]);
    await page().getByText("It is sent again.").waitFor();

    await page().getByRole("button", { name: "Disable" }).click();
    await page().getByRole("button", { name: "Disable the endpoint" }).click();
    await page().getByText("It is disabled").waitFor();
    const before = receiver.calls.length;
    await send(suite(), newNumber(ENDINGS.read));
    await page().getByText("3 so far").waitFor();
    await delivery(page(), "message.read", "skipped").waitFor();
    expect(receiver.calls).toHaveLength(before);
    expect(
      await page()
        .getByRole("button", { name: /^Send again/ })
        .count(),
    ).toBe(0);

    await page().getByRole("button", { name: "Enable it" }).click();
    await page().getByText("3 skipped while it was disabled").waitFor();
    await page().getByRole("button", { name: "Send them after all" }).click();
    await page().getByText("3 deliveries", { exact: true }).waitFor();
    expect(receiver.calls).toHaveLength(before);
    await page().getByRole("button", { name: "Send 3 again" }).click();
    await page().getByText("3 deliveries on the way again.").waitFor();
    await until("they arrived", () => receiver.calls.length === before + 3);
    await delivery(page(), "message.read", "skipped").waitFor({ state: "detached" });
    await page().getByText("skipped while it was disabled").waitFor({ state: "detached" });
    for (const words of ["added", "disabled", "enabled"]) {
      await page().getByText(`${words} a webhook endpoint`).waitFor();
    }
    await page().getByText("sent webhooks of a time again").waitFor();
  },
);

test(
  "it is done by the keyboard alone, and the focus comes back to where it was",
  { timeout: 120_000 },
  async () => {
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
    await page().getByText("The test was taken").waitFor();
    await focused(test);
    const link = page().getByRole("link", { name: "webhook.test" });
    await enter(page(), link);
    const panel = page().getByRole("dialog", { name: "Delivery" });
    await enter(page(), panel.getByRole("button", { name: "Send again: webhook.test" }));
    await called("webhook.test", 2);
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
    await page().getByText("By keyboard is removed.").waitFor();
    await row(page(), "By keyboard").waitFor({ state: "detached" });
  },
);

test("what the server refuses of a new endpoint stands at its field, and what was typed stays", async () => {
  await suite().admin.go("/webhooks?dialog=create");
  const url = page().getByRole("textbox", { name: "URL" });
  const save = page().getByRole("button", { name: "Add the endpoint" });
  await url.fill("https://localhost/hook");
  await save.click();
  await page().getByText("its host is a name of a private network").waitFor();
  await page().getByText("npm run -s waypost -- webhook listen --forward URL").waitFor();
  await focused(url);
  expect(await url.inputValue()).toBe("https://localhost/hook");
  await url.fill(PUBLIC_URL);
  for (const box of await page()
    .getByRole("checkbox", { name: /^message\./ })
    .all())
    await box.uncheck();
  await save.click();
  await page().getByText("Must name at least one type of event").waitFor();
  await page().getByRole("checkbox", { name: "message.failed" }).check();
  await page().getByRole("textbox", { name: "Description" }).fill("a".repeat(501));
  await save.click();
  await page().getByText("Must have at most 500 characters").waitFor();
  await page().getByRole("textbox", { name: "Description" }).fill("Refused before");
  await page().getByRole("radio", { name: "Only these" }).check();
  await page().getByRole("checkbox", { name: "Support" }).check();
  await save.click();
  await takeSecret(page());
  const cells = row(page(), "Refused before").getByRole("cell");
  expect(await cells.allTextContents()).toEqual(expect.arrayContaining(["enabled", "failed", "Support"]));
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

test(
  "a new secret is shown once and signs at once, and the former one beside it",
  { timeout: 120_000 },
  async () => {
    const { admin, world, receiver } = suite();
    const { id, secret: first } = await addEndpoint(world.ctx, { url: receiver.url, description: "Rotated" });
    await admin.go(`/webhooks/${id}`);
    const rotate = async () => {
      await page().getByRole("button", { name: "New secret" }).click();
      await page().getByRole("button", { name: "Make the new secret" }).click();
      return takeSecret(page());
    };
    const second = await rotate();
    await focused(page().getByRole("button", { name: "New secret" }));
    await page().getByText("Two secrets sign").waitFor();
    await page().getByRole("button", { name: "Send a test" }).click();
    await called("webhook.test", 1);
    for (const call of calls("webhook.test")) {
      for (const secret of [first, second])
        expect(verify(secret, call)).toMatchObject({ type: "webhook.test" });
    }
    await page().getByText("The test was taken").waitFor();
    await page().getByRole("button", { name: "New secret" }).click();
    await page().getByText("It ends at once.").waitFor();
    await page().keyboard.press("Escape");
    const third = await rotate();
    await page().getByRole("button", { name: "Send a test" }).click();
    await called("webhook.test", 2);
    const call = calls("webhook.test").at(-1);
    expect(() => call && verify(first, call)).toThrow();
    expect(call && verify(third, call)).toMatchObject({ type: "webhook.test" });
    await page().getByText("gave a webhook endpoint a new signing secret").first().waitFor();
    await page().reload();
    await page().getByText("Two secrets sign").waitFor();
    for (const secret of [second, third]) {
      for (const place of [await page().content(), page().url(), await world.server.output()]) {
        expect(place).not.toContain(secret.slice("whsec_".length));
      }
      expect(await nowhereInDatabase(world.services.sql, secret.slice("whsec_".length))).toEqual([]);
    }
  },
);

test("events of an endpoint without a URL wait to be fetched, and so does a test", async () => {
  const { admin } = suite();
  await admin.go("/webhooks?dialog=create");
  await page().getByRole("radio", { name: "Your program fetches them" }).check();
  expect(await page().getByRole("textbox", { name: "URL" }).count()).toBe(0);
  await page().getByRole("textbox", { name: "Description" }).fill("Fetched ones");
  await page().getByRole("button", { name: "Add the endpoint" }).click();
  await takeSecret(page());
  await row(page(), "Fetched ones").getByText("fetched", { exact: true }).waitFor();
  await page().getByRole("link", { name: "Fetched ones" }).click();
  await page().getByRole("button", { name: "Send a test" }).click();
  await page().getByText("The test waits to be fetched").waitFor();
  await delivery(page(), "webhook.test", "available").waitFor();
  expect(
    await page()
      .getByRole("button", { name: /^(Replay|Send again)/ })
      .count(),
  ).toBe(0);
});

test("an endpoint is only removed by who types what it is, and then there is no such endpoint", async () => {
  const { admin, world } = suite();
  const { id } = await addEndpoint(world.ctx, { url: `${PUBLIC_URL}?token=hidden` });
  await admin.go(`/webhooks/${id}?dialog=remove`);
  const remove = page().getByRole("button", { name: "Remove the endpoint" });
  const typed = page().getByRole("textbox", { name: "The host of its URL" });
  await typed.fill("another.example.com");
  expect(await remove.isDisabled()).toBe(true);
  await typed.fill(new URL(PUBLIC_URL).host);
  await remove.click();
  await page().getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  for (const gone of [id, "malformed"]) {
    await admin.go(`/webhooks/${gone}`);
    await page().getByRole("heading", { name: "There is no such webhook endpoint" }).waitFor();
  }
});

test("an organization without endpoints is told what they are for", async () => {
  const { admin, world } = suite();
  await world.services.sql`
    update webhook_endpoints set deleted_at = now() where organization_id = ${world.demo.organization_id}`;
  await admin.go("/webhooks");
  await page().getByText("No program is told of anything yet").waitFor();
  expect(await page().getByRole("link", { name: "How webhooks work" }).getAttribute("href")).toBe(
    "/docs/webhooks",
  );
  await page().getByRole("main").getByRole("link", { name: "Webhook inbox" }).waitFor();
  await page().getByRole("main").getByRole("button", { name: "Add an endpoint" }).last().click();
  await page().getByRole("dialog", { name: "Add an endpoint" }).waitFor();
});

describe("webhooks.manage", () => {
  test("an agent doesn’t see the pages, and is refused where their addresses are known", async () => {
    const { world } = suite();
    const { id } = await addEndpoint(world.ctx, { url: PUBLIC_URL });
    const agent = await world.open(await world.addMember("agent"), {
      expects: refused("403 webhooks.list", "403 webhooks.inspect"),
    });
    for (const path of ["/webhooks", `/webhooks/${id}`]) {
      await agent.go(path);
      await agent.page.getByText("You may not see this page").waitFor();
      expect(await agent.page.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
      expect(await agent.page.getByText(new URL(PUBLIC_URL).host).count()).toBe(0);
    }
    await agent.close();
  });

  test("an agent who may manage API keys manages webhooks, too", async () => {
    const { world, receiver } = suite();
    const {
      page: theirs,
      go,
      close,
    } = await world.open(await world.addMember("agent", ["integrations.manage_api"]));
    await go("/webhooks");
    await theirs.getByRole("link", { name: "Webhooks" }).waitFor();
    expect(await addByHand(theirs, { url: receiver.url, description: "An agent’s" })).toMatch(/^whsec_/);
    await close();
  });
});
