import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { addEndpoint, addPastDeliveries } from "@/server/domain/webhooks/testing";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { addMessages, cells, choose, DAY_MS, legend, sum, tableOf } from "./support/usage";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
  const shop = await createKey({ ctx: world.ctx, input: { name: "Shop" } });
  await addMessages({ world, channelId: world.demo.channels.default, shop });
});
afterAll(() => world.close());

test("a span of one’s own is charted from its start to its end, kept in the address, and exported", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/usage?range=24h");
  await expect.poll(async () => (await legend(page))[0]).toBe("Read 7 50%");
  await choose(page, "Custom");
  // It starts as what was shown.
  await expect.poll(() => new URL(page.url()).searchParams.get("range")).toBe("custom");
  await expect.poll(async () => (await legend(page))[0]).toBe("Read 7 50%");
  const spelled = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().slice(0, 13) + ":00";
  await page.getByLabel("From", { exact: true }).fill(spelled(4 * DAY_MS));
  await page.getByLabel("To", { exact: true }).fill(spelled(2 * DAY_MS));
  await expect.poll(() => legend(page)).toContain("Read 5 100%");
  await page.getByText("Show as a table: messages").click();
  const hours = await cells(page, "Messages by hour");
  expect([hours.length, sum(hours, 1)]).toEqual([48, 5]);
  await page.locator(".recharts-bar-rectangle path").first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("waypost-usage.csv");
  const rows = (await readFile(await download.path(), "utf8")).trim().split("\r\n").slice(1);
  expect(rows).toHaveLength(48);
  expect(rows.filter((row) => row.split(",")[2] === "5")).toHaveLength(1);
  await page.reload();
  await expect.poll(() => legend(page)).toContain("Read 5 100%");
  await page.getByLabel("To", { exact: true }).fill(spelled(5 * DAY_MS));
  await page.getByText("Choose a start before the end").waitFor();
  await choose(page, "24 hours");
  await expect.poll(async () => (await legend(page))[0]).toBe("Read 7 50%");
  expect(new URL(page.url()).searchParams.get("since")).toBeNull();
  await close();
});

test("figures are compared with the period before, if the organization existed", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/usage?range=30d");
  await page
    .getByText(/There is no comparison with the period before.+ organization was created on/)
    .waitFor();
  const { organizationId } = world.ctx.actor;
  await world.services.sql`
    update organizations set created_at = now() - interval '99 days' where id = ${organizationId}`;
  await page.reload();
  await page.getByText(/Compared with the period before: .+–/).waitFor();
  const figure = async (name: string) =>
    (await page.locator("dt", { hasText: name }).locator("xpath=..").innerText()).split(/\s*\n\s*/);
  expect(await figure("Accepted")).toEqual(["Accepted", "19", "Up 171% from 7"]);
  expect(await figure("Delivered or read")).toEqual(["Delivered or read", "14 73.7%", "Up 100% from 7"]);
  expect(await figure("Failed")).toEqual(["Failed", "3 15.8%", "Up from 0"]);
  expect(await figure("Median to WhatsApp")).toContain("About the same as before");
  await close();
});

test("an axis of a few messages counts them in whole ones", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/usage?range=24h");
  await page.locator(".recharts-bar-rectangle path").first().waitFor();
  const ticks = await page.locator(".recharts-yAxis-tick-labels").first().locator("text").allTextContents();
  expect(ticks).toEqual(["0", "2", "4", "6", "8", "10"]);
  await close();
});

test("webhook endpoints show their success rate and response times, and lead to their deliveries", async () => {
  const { id } = await addEndpoint(world.ctx, { url: "https://93.184.216.34/hook", description: "Crm" });
  const deliveries = await addPastDeliveries(world.ctx, id, { count: 4, secondsAgo: 7_200 });
  await world.services.sql`
    insert into webhook_attempts (organization_id, delivery_id, number, finished_at, duration_ms, error_class)
    select ${world.ctx.actor.organizationId}, d.id, 1, now(), 200, case when d.n = 1 then 'status' end
    from unnest(${deliveries}::uuid[]) with ordinality as d (id, n)`;
  const { page, go, close } = await world.open(world.owner);
  await go("/usage?range=24h");
  const rows = await cells(page, "Webhook endpoints, newest first");
  expect(rows.find((row) => row[0] === "Crm")).toEqual(["Crm", "4", "75%", "200 ms", "200 ms"]);
  await tableOf(page, "Webhook endpoints, newest first").getByRole("link", { name: "Crm" }).click();
  await page.waitForURL(/\/webhooks\/.+range=custom/);
  await expect
    .poll(() => page.getByRole("table").locator("tbody").getByRole("row").count())
    .toBe(deliveries.length);
  await close();
  const agent = await world.open(await world.addMember("agent"));
  await agent.go("/usage?range=24h");
  await expect.poll(async () => (await legend(agent.page))[0]).toBe("Read 7 50%");
  expect(await tableOf(agent.page, "Webhook endpoints, newest first").count()).toBe(0);
  await agent.close();
});
