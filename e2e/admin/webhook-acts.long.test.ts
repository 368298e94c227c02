import { describe, expect, test } from "vitest";
import { refused } from "@/e2e/admin/support/guard";
import { focused } from "@/e2e/admin/support/keyboard";
import { nowhereInDatabase } from "@/e2e/admin/support/secrecy";
import { row } from "@/e2e/admin/support/parts";
import {
  addByHand,
  callsOf,
  delivery,
  takeSecret,
  untilCalled,
  useWebhookSuite,
  verify,
} from "@/e2e/admin/support/webhooks";
import { addEndpoint, PUBLIC_URL } from "@/server/domain/webhooks/testing";

// The page of a removed endpoint queries it once more before it is left.
const suite = useWebhookSuite({ expects: refused("404 /o/*/webhooks/*", "404 webhooks.inspect") });
const page = () => suite().admin.page;

test("a new secret is shown once and signs at once, and beside it the former ones, over further rotations, too", async () => {
  const { admin, world, receiver } = suite();
  const { id, secret: first } = await addEndpoint(world.ctx, { url: receiver.url, description: "Rotated" });
  await admin.go(`/webhooks/${id}`);
  const rotate = async () => {
    await page().getByRole("button", { name: "Rotate secret" }).click();
    await page().getByRole("button", { name: "Create new secret" }).click();
    return takeSecret(page());
  };
  const testSignedWith = async (...secrets: readonly string[]) => {
    const before = callsOf(receiver, "webhook.test").length;
    await page().getByRole("button", { name: "Send a test" }).click();
    await untilCalled(receiver, "webhook.test", before + 1);
    const [call] = callsOf(receiver, "webhook.test").slice(before);
    for (const secret of secrets) {
      expect(call && verify(secret, call)).toMatchObject({ type: "webhook.test" });
    }
  };
  const second = await rotate();
  await focused(page().getByRole("button", { name: "Rotate secret" }));
  await page().getByText("New signing secret", { exact: true }).waitFor();
  await testSignedWith(first, second);
  await page().getByText("The test was accepted").waitFor();
  await page().getByRole("button", { name: "Rotate secret" }).click();
  await page().getByText("The previous secret still signs").waitFor();
  await page().keyboard.press("Escape");
  const third = await rotate();
  await testSignedWith(first, second, third);
  await page().getByText("gave a webhook endpoint a new signing secret").first().waitFor();
  await page().reload();
  await page().getByText("New signing secret", { exact: true }).waitFor();
  for (const secret of [second, third]) {
    for (const place of [await page().content(), page().url(), await world.server.output()]) {
      expect(place).not.toContain(secret.slice("whsec_".length));
    }
    expect(await nowhereInDatabase(world.services.sql, secret.slice("whsec_".length))).toEqual([]);
  }
});

test("events of an endpoint without a URL wait to be fetched, and so does a test", async () => {
  const { admin } = suite();
  await admin.go("/webhooks?dialog=create");
  await page().getByRole("radio", { name: "Your program fetches events" }).check();
  expect(await page().getByRole("textbox", { name: "URL" }).count()).toBe(0);
  await page().getByRole("textbox", { name: "Description" }).fill("Fetched ones");
  await page().getByRole("button", { name: "Add endpoint" }).click();
  await takeSecret(page());
  await row(page(), "Fetched ones").getByText("fetched", { exact: true }).waitFor();
  await page().getByRole("link", { name: "Fetched ones" }).click();
  await page().getByRole("button", { name: "Send a test" }).click();
  await page().getByText("The test is ready to be fetched").waitFor();
  await delivery(page(), "webhook.test", "available").waitFor();
  expect(
    await page()
      .getByRole("button", { name: /^Replay/ })
      .count(),
  ).toBe(0);
});

test("an endpoint is only removed by who types what it is, and then there is no such endpoint", async () => {
  const { admin, world } = suite();
  const { id } = await addEndpoint(world.ctx, { url: `${PUBLIC_URL}?token=hidden` });
  await admin.go(`/webhooks/${id}?dialog=remove`);
  const remove = page().getByRole("button", { name: "Remove endpoint" });
  const typed = page().getByRole("textbox", { name: "The host of its URL" });
  await typed.fill("another.example.com");
  expect(await remove.isDisabled()).toBe(true);
  await typed.fill(new URL(PUBLIC_URL).host);
  await remove.click();
  await page().getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  for (const gone of [id, "malformed"]) {
    await admin.go(`/webhooks/${gone}`);
    await page().getByRole("heading", { name: "This webhook endpoint doesn’t exist" }).waitFor();
  }
});

test("an organization without endpoints is told what they are for", async () => {
  await suite().admin.go("/webhooks");
  await page().getByText("No endpoints yet").waitFor();
  expect(await page().getByRole("link", { name: "How webhooks work" }).getAttribute("href")).toBe(
    "/docs/webhooks",
  );
  await page().getByRole("main").getByRole("link", { name: "Inbox", exact: true }).waitFor();
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
      await agent.page.getByText("You don’t have access to this page").waitFor();
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
    await theirs.getByRole("link", { name: "Webhooks", exact: true }).waitFor();
    expect(await addByHand(theirs, { url: receiver.url, description: "An agent’s" })).toMatch(/^whsec_/);
    await close();
  });
});
