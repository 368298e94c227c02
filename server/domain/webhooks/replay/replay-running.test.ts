import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { TransactionSql } from "@/db/client";
import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { continueReplays } from "./claim-replays";
import { replayWebhooks } from "./replay";
import { DUE_MAX, replayBatch } from "./replay-batch";
import type { ReplayInput } from "./replay-schemas";
import { countPuts } from "./testing";
import { addEndpoint, addPastDeliveries, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let id: string;

beforeAll(async () => void (world = await openWebhookWorld({ database: "own" })));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  ({ id } = await addEndpoint(ctx, { url: PUBLIC_URL }));
});
afterAll(() => world.close());

const SINCE = new Date(Date.now() - 3_600_000).toISOString();

const replay = (input: Partial<ReplayInput> = {}, as: Context = ctx) =>
  replayWebhooks({ ctx: as, input: { id, since: SINCE, only: "failed", ...input } });
const add = (past: Parameters<typeof addPastDeliveries>[2] = {}) => addPastDeliveries(ctx, id, past);
const over = (services: Services): Context => ({ ...ctx, services });

/** Like a process that is stopping: it does one batch. */
const stopping = () => over(servicesWith(ctx.services, { lifecycle: { isStopping: () => true } }));

async function pending(): Promise<string[]> {
  const rows = await world.sql<{ id: string }[]>`
    select id from webhook_deliveries where endpoint_id = ${id} and is_pending order by created_at, id`;
  return rows.map((row) => row.id);
}

/** The endpoint accepts its waiting deliveries: there is room again. */
const take = () => world.sql`
  update webhook_deliveries set state = 'delivered', next_attempt_at = null, ended_at = clock_timestamp()
  where endpoint_id = ${id} and is_pending`;

async function isFinished(): Promise<boolean> {
  const rows =
    await world.sql`select 1 from webhook_replays where endpoint_id = ${id} and finished_at is null`;
  return rows.length === 0;
}

/** Services whose process crashes at the end of the nth transaction, before the commit. */
function dyingIn(services: Services, nth: number): Services {
  let begun = 0;
  const sql = new Proxy(services.sql, {
    get: (target, name) =>
      name === "begin"
        ? (work: (tx: TransactionSql) => Promise<unknown>) =>
            target.begin(async (tx) => {
              const done = await work(tx);
              if ((begun += 1) === nth) throw new Error("the process died");
              return done;
            })
        : Reflect.get(target, name),
  });
  return { ...services, sql };
}

describe("a long one", () => {
  test("goes on by the sweep, over all processes, and puts each back once", async () => {
    const puts = await countPuts(world.sql);
    const ids = await add({ state: "skipped", count: 6_500 });
    expect((await replay({ only: "skipped" }, stopping())).count).toBe(6_500);
    expect(await pending()).toEqual(ids.slice(0, DUE_MAX));
    while (!(await isFinished())) {
      await take();
      await Promise.all([continueReplays(world.services), continueReplays(world.services)]);
      expect((await pending()).length).toBeLessThanOrEqual(DUE_MAX);
    }
    expect(await puts()).toEqual({ puts: 6_500, deliveries: 6_500 });
    await continueReplays(world.services);
    expect(await puts()).toEqual({ puts: 6_500, deliveries: 6_500 });
  });

  test("that dies in the midst of a batch goes on behind the one before, and what failed again is left", async () => {
    const puts = await countPuts(world.sql);
    const ids = await add({ state: "failed", count: 2_500 });
    await expect(replay({}, over(dyingIn(ctx.services, 3)))).rejects.toThrow("the process died");
    expect(await pending()).toEqual(ids.slice(0, 1_000));
    await world.sql`
      update webhook_deliveries set state = 'failed', next_attempt_at = null, ended_at = clock_timestamp()
      where endpoint_id = ${id} and is_pending`;
    await continueReplays(world.services);
    expect(await pending()).toEqual(ids.slice(1_000, 2_000));
    await take();
    await continueReplays(world.services);
    expect(await pending()).toEqual(ids.slice(2_000));
    expect(await puts()).toEqual({ puts: 2_500, deliveries: 2_500 });
  });

  test("leaves what ended only after it began, as it wasn't counted", async () => {
    const ids = await add({ state: "failed", count: 1_500 });
    const [last = ""] = await add({ state: "delivered", secondsAgo: 30 });
    expect((await replay({}, stopping())).count).toBe(1_500);
    await world.sql`update webhook_deliveries set state = 'failed', ended_at = clock_timestamp() where id = ${last}`;
    await take();
    await continueReplays(world.services);
    expect(await pending()).toEqual(ids.slice(DUE_MAX));
  });

  test("waits while its endpoint is disabled, and ends with it", async () => {
    await add({ state: "skipped", count: 1_500 });
    const { replay_id: replayId } = await replay({ only: "skipped" }, stopping());
    const key = { organizationId: ctx.actor.organizationId, endpointId: id, replayId: replayId ?? "" };
    const setDisabled = (reason: string | null) => world.sql`
      update webhook_endpoints set disabled_at = case when ${reason}::text is null then null else now() end,
        disabled_reason = ${reason} where id = ${id}`;
    await setDisabled("failing");
    await take();
    expect(await replayBatch(world.services, key)).toEqual({ standing: "over", count: 0 });
    await continueReplays(world.services);
    expect(await pending()).toEqual([]);
    await setDisabled(null);
    await continueReplays(world.services);
    expect(await pending()).toHaveLength(500);
  });

  test("keeps what happens meanwhile waiting for no more than a thousand others, and so do several", async () => {
    await add({ state: "skipped", count: 2_500 });
    await add({ state: "failed", count: 2_500 });
    await Promise.all([
      replay({ only: "skipped" }),
      replay({ only: "failed" }),
      continueReplays(world.services),
    ]);
    expect(await pending()).toHaveLength(DUE_MAX);
    const [live = ""] = await add({ state: "pending", type: "message.sent" });
    await continueReplays(world.services);
    const [row] = await world.sql<{ before: number }[]>`
      select count(*)::int as before from webhook_deliveries d, webhook_deliveries l
      where d.endpoint_id = ${id} and d.is_pending and l.id = ${live} and d.next_attempt_at < l.next_attempt_at`;
    expect(row?.before).toBeLessThanOrEqual(DUE_MAX);
  });

  test("waits for room, also where what isn't due yet is very much", async () => {
    await add({ state: "skipped", count: 10 });
    await add({ state: "pending", count: 2_000 });
    await replay({ only: "skipped" });
    expect(await pending()).toHaveLength(2_000);
    await world.sql`
      update webhook_deliveries set next_attempt_at = now() + interval '1 day' where endpoint_id = ${id} and is_pending`;
    await continueReplays(world.services);
    expect(await pending()).toHaveLength(2_010);
  });
});

describe("of several that run", () => {
  /** Runs this code in the database for each batch of a replay, for this test. */
  async function atEachBatchOf(replayId: string, plpgsql: string) {
    await world.sql.unsafe(`
      create function at_batch() returns trigger language plpgsql as 'begin ${plpgsql} return new; end'`);
    await world.sql.unsafe(`
      create trigger at_batch before update on webhook_replays for each row
        when (new.replay_id = '${replayId}') execute function at_batch()`);
    onTestFinished(async () => void (await world.sql`drop function at_batch cascade`));
  }

  const begin = async (count: number, type: "webhook.test" | "message.read") => {
    const replayId = randomUUID();
    const endpoint = await addEndpoint(ctx, { url: PUBLIC_URL });
    await addPastDeliveries(ctx, endpoint.id, { state: "failed", count, type });
    await world.sql`
      insert into webhook_replays (organization_id, endpoint_id, replay_id, "only", since, until, count)
      values (${ctx.actor.organizationId}, ${endpoint.id}, ${replayId}, 'failed', ${SINCE}, now(), 0)`;
    return replayId;
  };
  const finished = async (replayId: string) => {
    const [row] = await world.sql<{ isFinished: boolean }[]>`
      select finished_at is not null as "isFinished" from webhook_replays where replay_id = ${replayId}`;
    return row?.isFinished;
  };

  test("one that can't go on holds no other up", async () => {
    const broken = await begin(3, "message.read");
    const others = [await begin(3, "message.read"), await begin(3, "message.read")];
    await atEachBatchOf(broken, "raise exception ''broken'';");
    await continueReplays(world.services);
    expect(await Promise.all([broken, ...others].map(finished))).toEqual([false, true, true]);
  });

  test("a slow one leaves the sweep its other steps", async () => {
    const slow = await begin(20_000, "webhook.test");
    await atEachBatchOf(slow, "perform pg_sleep(0.3);");
    await continueReplays(world.services);
    expect(await finished(slow)).toBe(false);
  });
});
