import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { createOrganization } from "@/server/domain/organizations/create";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { faultsInEachForm } from "./support/forms";
import { tabTo } from "./support/keyboard";
import { addMessages, cells, choose, DAY_MS, legend, sum, tableOf } from "./support/usage";

let world: AdminWorld;
let shop: { id: string; secret: string };
let channelId: string;

beforeAll(async () => {
  world = await openAdminWorld();
  channelId = world.demo.channels.default;
  shop = await createKey({ ctx: world.ctx, input: { name: "Shop" } });
});
afterAll(() => world.close());

test("an organization that has sent nothing is told so, and what to do", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/usage");
  await page.getByText("No activity in the last 7 days").waitFor();
  await choose(page, "90 days");
  await page.getByText("No activity in the last 90 days").waitFor();
  expect(await page.getByText("Show as a table").count()).toBe(0);
  await close();
});

describe("with messages", () => {
  beforeAll(() => addMessages({ world, channelId, shop }));

  test("messages are counted by what became of them, by range, and as the table behind the chart says", async () => {
    const { page, go, close } = await world.open(world.owner);
    await go("/usage?range=24h");
    await expect
      .poll(() => legend(page))
      .toEqual(["Read 7 50%", "Delivered 2 14.3%", "Sent 1 7.1%", "Queued 1 7.1%", "Failed 3 21.4%"]);
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    await page.getByText("Show as a table: messages").click();
    const hours = await cells(page, "Messages by hour");
    expect(hours).toHaveLength(24);
    expect([1, 2, 3, 4, 5, 6].map((column) => sum(hours, column))).toEqual([14, 7, 2, 1, 1, 3]);
    expect(hours.filter((row) => row[1] !== "0").map((row) => row.slice(1))).toEqual([
      ["4", "4", "0", "0", "0", "0"],
      ["10", "3", "2", "1", "1", "3"],
    ]);

    await choose(page, "7 days");
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 12 63.2%");
    await choose(page, "90 days");
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 19 73.1%");
    await expect.poll(() => new URL(page.url()).search).toBe("?range=90d");
    await page.reload();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 19 73.1%");
    await page.goBack();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 12 63.2%");
    await page.getByText(/As of \d+ \w+ \d{4}.+UTC/).waitFor();
    await close();
  });

  test("each count leads to the messages or requests that it counts", async () => {
    const { page, go, close } = await world.open(world.owner);
    await go("/usage?range=24h");
    const failures = tableOf(page, "Failed messages, by code");
    await failures.waitFor();
    expect((await cells(page, "Failed messages, by code")).map((row) => row.slice(0, 2))).toEqual([
      ["upstream_rejected", "2"],
      ["undeliverable", "1"],
    ]);
    const rows = page.getByRole("table").locator("tbody").getByRole("row");
    await failures.getByRole("link", { name: "upstream_rejected" }).click();
    await page.waitForURL(/\/messages\?/);
    await expect.poll(() => rows.count()).toBe(2);
    await page.goBack();
    await page.getByRole("list", { name: "Delivery status" }).getByRole("link", { name: "Read" }).click();
    await page.waitForURL(/\/messages\?/);
    await expect.poll(() => rows.count()).toBe(7);
    await page.goBack();
    await page.getByText("Show as a table: messages").click();
    await tableOf(page, "Messages by hour").getByRole("link").first().click();
    await page.waitForURL(/\/messages\?/);
    await expect.poll(() => rows.count()).toBe(4);
    await page.goBack();
    const refused = await cells(page, "Refused requests, by code");
    expect(refused.map((row) => row.slice(0, 2))).toEqual([
      ["validation_failed", "2"],
      ["message_not_found", "1"],
    ]);
    await tableOf(page, "Refused requests, by code").getByRole("link", { name: "validation_failed" }).click();
    await page.waitForURL(/\/requests\?/);
    await expect.poll(() => rows.count()).toBe(2);
    await close();
  });

  test("it tells how long half of the messages took, and 95% of them", async () => {
    const { page, go, close } = await world.open(world.owner);
    await go("/usage?range=24h");
    const reported = async (table: string) => {
      const words = await page.getByRole("list", { name: `Whole period, ${table}` }).innerText();
      return [...words.matchAll(/([\d.]+) (ms|s)\b/g)].map(
        ([, amount, unit]) => Number(amount) * (unit === "s" ? 1_000 : 1),
      );
    };
    await page.getByText("From acceptance to WhatsApp").waitFor();
    // Ten were handed over: eight after 100 ms and two after 4 s. Percentiles differ by at most 9 %.
    const [half, most] = await reported("to WhatsApp");
    expect(Math.abs((half ?? 0) - 100)).toBeLessThanOrEqual(10);
    expect(Math.abs((most ?? 0) - 4_000)).toBeLessThanOrEqual(400);
    for (const time of await reported("to delivery")) expect(Math.abs(time - 900)).toBeLessThanOrEqual(90);
    await page.getByText("Show as a table: time to delivery").click();
    expect(sum(await cells(page, "Time to delivery, by hour"), 1)).toBe(9);
    await close();
  });

  test("it is narrowed to a key or a channel, which the address keeps", async () => {
    const { page, go, close } = await world.open(world.owner);
    await go("/usage?range=24h");
    await tableOf(page, "Messages by API key").waitFor();
    const byKey = await cells(page, "Messages by API key");
    expect(byKey.map((row) => row.slice(0, 2))).toEqual([
      ["Shop", "10"],
      ["Members and Waypost", "4"],
    ]);
    await tableOf(page, "Messages by API key").getByRole("link", { name: "Shop" }).click();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 3 30%");
    await expect.poll(() => new URL(page.url()).searchParams.get("key")).toBe(shop.id);
    await page.reload();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 3 30%");

    await page.getByRole("combobox", { name: "Channel" }).selectOption(channelId);
    await page.getByText("Refused requests have no channel").waitFor();
    const query = new URL(page.url()).searchParams;
    expect([query.get("key"), query.get("channel")]).toEqual([null, channelId]);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 7 50%");

    const { id } = await createKey({ ctx: world.ctx, input: { name: "Never used" } });
    await go(`/usage?key=${id}`);
    await page.getByText("No matching messages in the last 7 days").waitFor();
    await page.getByRole("button", { name: "Clear filter" }).click();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 12 63.2%");
    await close();
  });

  test("days are those of whoever looks", async () => {
    const { page, go, close } = await world.open(world.owner, { zone: "America/New_York" });
    await go("/usage?range=30d");
    await page.getByText("Days are in the time zone America/New York").waitFor();
    await page.getByText("Show as a table: messages").click();
    const days = await cells(page, "Messages by day");
    expect(days).toHaveLength(30);
    expect(sum(days, 1)).toBe(19);
    const dayOf = (agoMs: number) =>
      new Intl.DateTimeFormat("en-GB", {
        timeZone: "America/New_York",
        day: "numeric",
        month: "short",
      }).format(Date.now() - agoMs);
    expect(days.find((row) => row[0]?.includes(dayOf(3 * DAY_MS)))?.[1]).toBe("5");
    await close();
  });

  test("an agent sees it, and narrows it to a key that has sent something", async () => {
    const { page, go, close } = await world.open(await world.addMember("agent"));
    await go("/usage?range=24h");
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 7 50%");
    await page.getByRole("combobox", { name: "Key" }).selectOption({ label: "Shop" });
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 3 30%");
    await close();
  });

  test("another organization’s key is answered as one that never was, and what fails can be tried again", async () => {
    const { ctx } = await createOrganization({
      services: world.services,
      job: "test",
      input: { name: "Other" },
    });
    const { id } = await createKey({ ctx, input: { name: "Foreign" } });
    const { page, go, close } = await world.open(world.owner, {
      expects: /status of 404 .*usage\.summary|ERR_FAILED .*\/api\/trpc\//,
    });
    for (const key of [id, randomUUID()]) {
      await go(`/usage?key=${key}`);
      await page.getByText("There is no such API key.").waitFor();
    }
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 12 63.2%");
    await page.route(/\/api\/trpc\//, (route) => route.abort("failed"));
    await go("/usage?range=30d");
    await page.getByText("The server can’t be reached").waitFor();
    await page.unroute(/\/api\/trpc\//);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 12 63.2%");
    await close();
  });

  test("it is read by the keyboard alone", async () => {
    const { page, go, close } = await world.open(world.owner);
    await go("/usage");
    await tabTo(page, page.getByRole("radio", { name: "7 days" }));
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await legend(page))[0]).toBe("Read 7 50%");
    const behind = page.locator("summary").filter({ hasText: "messages" });
    await tabTo(page, behind);
    await page.keyboard.press("Enter");
    await tabTo(page, tableOf(page, "Messages by hour").getByRole("link").first());
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/messages\?/);
    await close();
  });

  test("axe finds nothing wrong, and nothing is wider than the window", async () => {
    const { page, go, close } = await world.open(world.owner);
    await go("/usage?range=30d");
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    for (const summary of await page.locator("summary").all()) await summary.click();
    await tableOf(page, "Messages by day").waitFor();
    expect(await faultsInEachForm(page)).toEqual([]);
    await close();
  });
});
