import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "@/db/client";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { rowsReadBy } from "@/server/testing";
import { listDeliveriesInput } from "./delivery-schemas";
import { listDeliveries } from "./list-deliveries";
import { addEndpoint, addPastDeliveries, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

const LIMIT = 50;

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let id: string;

beforeAll(async () => {
  world = await openWebhookWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
  ({ id } = await addEndpoint(ctx, { url: PUBLIC_URL }));
  await addPastDeliveries(ctx, id, { count: 60_000, secondsAgo: 7_200 });
  await addPastDeliveries(ctx, id, { count: 300, state: "failed", secondsAgo: 3_600 });
  await addPastDeliveries(ctx, id, { count: 300, state: "skipped", secondsAgo: 3_500 });
  await addPastDeliveries(ctx, id, { count: 60_000, secondsAgo: 60 });
  await world.sql`vacuum (analyze) webhook_deliveries`;
});
afterAll(() => world.close());

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** Counts the rows of deliveries that a full page reads, with any plan. */
async function rowsOfPage(query: object): Promise<number> {
  const input = listDeliveriesInput.parse({ id, limit: String(LIMIT), ...query });
  const work = async (sql: Sql) => {
    const { data } = await listDeliveries({ ctx: { ...ctx, services: { ...ctx.services, sql } }, input });
    expect(data).toHaveLength(LIMIT);
  };
  return rowsReadBy(ctx.services.sql, "webhook_deliveries", work);
}

test.each([
  ["all", {}],
  ["Failed messages", { state: "failed" }],
  ["those that were skipped", { state: "skipped" }],
])("a page of %s costs the same in the midst of many as at either end", async (_, query) => {
  for (const order of ["newest", "oldest"]) {
    for (const until of [ago(3_000), ago(0)]) {
      expect(await rowsOfPage({ ...query, order, until })).toBeLessThan(4 * LIMIT);
    }
  }
});
