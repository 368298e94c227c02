import type { Page } from "playwright";
import { openApi } from "@/e2e/support/api";
import { until } from "@/e2e/support/until";
import { addHistory, type PastMessage, pastMessage } from "@/server/domain/usage/testing";
import type { AdminWorld } from "./admin-world";

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Fourteen messages in the last hours, five this week, and seven last month; three refused requests. */
export async function addMessages({
  world,
  channelId,
  shop,
}: {
  world: AdminWorld;
  channelId: string;
  shop: { readonly id: string; readonly secret: string };
}): Promise<void> {
  const past = (times: number, message: Partial<PastMessage>) =>
    Array.from({ length: times }, () => pastMessage({ channelId }, message));
  const { organizationId } = world.ctx.actor;
  // Messages are numbered in the order of their times, and nothing was counted before.
  await world.services.sql`
    update messages set created_at = now() - interval '100 days' where organization_id = ${organizationId}`;
  await world.services.sql`delete from usage_progress where organization_id = ${organizationId}`;
  const unhanded = { handedOverMs: null, deliveredMs: null };
  const lately = { agoMs: 2 * HOUR_MS, keyId: shop.id };
  await addHistory({ ctx: world.ctx, sql: world.services.sql }, [
    ...past(7, { agoMs: 40 * DAY_MS }),
    ...past(5, { agoMs: 3 * DAY_MS }),
    ...past(3, lately),
    ...past(2, { ...lately, state: "delivered", handedOverMs: 4_000 }),
    ...past(1, { ...lately, state: "sent", deliveredMs: null }),
    ...past(2, { ...lately, ...unhanded, state: "failed", errorCode: "upstream_rejected" }),
    ...past(1, { ...lately, ...unhanded, state: "failed", errorCode: "undeliverable" }),
    ...past(1, { ...lately, ...unhanded, state: "queued" }),
    ...past(4, { agoMs: 3 * HOUR_MS }),
  ]);
  const api = await openApi(world.server.baseUrl);
  for (const path of ["/messages?limit=0", "/messages?limit=0", "/messages/no-id"]) {
    await api.call({ path, key: shop.secret });
  }
  await until("the refusals are counted", async () => {
    const [row] = await world.services.sql<{ refused: number }[]>`
      select sum(refused)::int as refused from refusal_hours where key_id = ${shop.id}`;
    return row?.refused === 3;
  });
}

/** Returns the text of each entry of the legend, such as `Read 7 50%`. */
export async function legend(page: Page): Promise<string[]> {
  const entries = await page
    .getByRole("list", { name: "Delivery status" })
    .getByRole("listitem")
    .allInnerTexts();
  return entries.map((entry) => entry.replaceAll(/\s+/g, " ").trim());
}

export const choose = (page: Page, range: string) => page.getByText(range, { exact: true }).click();

export const tableOf = (page: Page, caption: string) =>
  page.getByRole("table", { name: caption, exact: true });

/** Returns the rows of a table as their cells. */
export async function cells(page: Page, caption: string): Promise<string[][]> {
  const table = tableOf(page, caption);
  await table.waitFor();
  const rows = await table.locator("tbody").getByRole("row").all();
  return Promise.all(
    rows.map(async (row) => (await row.locator("th, td").allInnerTexts()).map((text) => text.trim())),
  );
}

export const sum = (rows: string[][], column: number) =>
  rows.reduce((total, row) => total + Number((row[column] ?? "").replaceAll(",", "")), 0);
