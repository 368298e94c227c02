import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sql } from "@/db/client";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { rowsReadBy } from "@/server/testing";
import { inspectWebhook } from "../inspect";
import { replayWebhooks } from "./replay";
import { COUNTED_MAX, type ReplayInput } from "./replay-schemas";
import { addEndpoint, addPastDeliveries, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

/** None of these is ever sent again. */
const TESTS = COUNTED_MAX - 2;

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let id: string;

beforeAll(async () => {
  world = await openWebhookWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
  ({ id } = await addEndpoint(ctx, { url: PUBLIC_URL }));
  await addPastDeliveries(ctx, id, {
    count: TESTS,
    state: "skipped",
    type: "webhook.test",
    secondsAgo: 7_200,
  });
  await addPastDeliveries(ctx, id, { count: 2, state: "skipped", secondsAgo: 3_600 });
  await world.sql`vacuum (analyze) webhook_deliveries`;
});
afterAll(() => world.close());

const SINCE = new Date(Date.now() - 86_400_000).toISOString();
const replay = (input: Partial<ReplayInput> = {}, as: Context = ctx) =>
  replayWebhooks({ ctx: as, input: { id, since: SINCE, only: "skipped", ...input } });

/** Counts the rows of deliveries that it reads, with any plan. */
const rowsOf = (work: (as: Context) => Promise<unknown>) =>
  rowsReadBy(ctx.services.sql, "webhook_deliveries", (sql: Sql) =>
    work({ ...ctx, services: { ...ctx.services, sql } }),
  );

describe("a count of very many", () => {
  test("is exact as far as it is looked through, and of more says so", async () => {
    expect(await replay({ dry_run: true })).toMatchObject({ count: 2, count_is_exact: true });
    await addPastDeliveries(ctx, id, { count: 3_000, state: "skipped", secondsAgo: 1_800 });
    expect(await replay({ dry_run: true })).toMatchObject({ count: 3, count_is_exact: false });
    expect(await replay({ dry_run: true, only: "all" })).toMatchObject({ count: 3, count_is_exact: false });
    expect(await rowsOf((as) => replay({ dry_run: true }, as))).toBeLessThan(COUNTED_MAX + 1_000);
    const replay_id = randomUUID();
    const begun = await replay({ replay_id });
    expect(begun).toMatchObject({ count: 3, count_is_exact: false });
    expect(await replay({ replay_id })).toEqual(begun);
  });

  test("is a little one for a page that asks every few seconds", async () => {
    await addPastDeliveries(ctx, id, { count: 3_000, state: "skipped", secondsAgo: 900 });
    const inspect = (as: Context = ctx) => inspectWebhook({ ctx: as, input: { id } });
    expect(await rowsOf(inspect)).toBeLessThan(6_000);
    expect((await inspect()).skipped).toMatchObject({ count: 1_000, is_more: true });
  });
});
