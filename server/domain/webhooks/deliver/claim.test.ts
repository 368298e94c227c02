import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { createConcurrencyLimiter } from "@/server/lib/concurrency-limiter";
import { rowsReadBy } from "@/server/testing";
import { callEndpoint } from "./call";
import { claimDeliveries, dueEndpoints, IN_FLIGHT_MAX, releaseExpiredDeliveries } from "./claim";
import { deliverToEndpoint } from "./deliver";
import { recordDeliveries } from "./record";
import { redeliverWebhook } from "./redeliver";
import {
  addDeliveries,
  addEndpoint,
  deliveriesOf,
  endpointRow,
  endpointWith,
  makeDue,
  openWebhookWorld,
  type WebhookWorld,
  within,
} from "../testing";
import { servicesWith } from "@/server/core/testing";

/** Concurrently, like processes. */
const CLAIMS = 8;
const CLAIM_ROUNDS = 5;
/** Per process. */
const SLOTS = 32;

let world: WebhookWorld;

beforeAll(async () => {
  world = await openWebhookWorld({ database: "own" });
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
});

describe("the calls in flight", () => {
  test("of one endpoint are no more than its limit, over two processes", async () => {
    const { id } = await endpointWith(world, 100);
    let running = 0;
    let most = 0;
    const held: (() => void)[] = [];
    world.receiver.answers((response) => {
      running += 1;
      most = Math.max(most, running);
      held.push(() => {
        running -= 1;
        response.writeHead(204).end();
      });
    });
    const processes = [
      servicesWith(world.services, { concurrency: { webhooks: createConcurrencyLimiter(128) } }),
      servicesWith(world.services, { concurrency: { webhooks: createConcurrencyLimiter(128) } }),
    ];
    const runs = processes.map((services) => deliverToEndpoint(services, id));
    await until("the endpoint has all its calls", async () => running === IN_FLIGHT_MAX);
    await until("all are answered", async () => {
      held.splice(0).forEach((answer) => answer());
      return world.receiver.calls.length === 100 && running === 0;
    });
    await Promise.all(runs);
    expect(most).toBe(IN_FLIGHT_MAX);
    expect(
      (await deliveriesOf(world, id)).every(({ state, attempts }) => state === "delivered" && attempts === 1),
    ).toBe(true);
  });

  test("are no more however many claims are made at once", async () => {
    for (let round = 0; round < CLAIM_ROUNDS; round++) {
      const { id } = await endpointWith(world, 3 * IN_FLIGHT_MAX);
      const claims = await Promise.all(
        Array.from({ length: CLAIMS }, () => claimDeliveries(world.services, id, IN_FLIGHT_MAX)),
      );
      expect(claims.flat()).toHaveLength(IN_FLIGHT_MAX);
    }
  });

  test("begin beside a delivery that somebody else changes, and never for that one", async () => {
    const { id } = await endpointWith(world, 2);
    const [first] = await deliveriesOf(world, id);
    if (!first) throw new Error("Nothing is due");
    await world.sql.begin(async (tx) => {
      await tx`
        update webhook_deliveries set state = 'skipped', next_attempt_at = null, ended_at = clock_timestamp()
        where id = ${first.id}`;
      const claimed = await claimDeliveries(world.services, id, 2);
      expect(claimed).toHaveLength(1);
      expect(claimed).not.toContainEqual(expect.objectContaining({ id: first.id }));
    });
  });

  test("of a process that died are tried again, and counted in the schedule", async () => {
    const { id } = await endpointWith(world, 1);
    await claimDeliveries(world.services, id, 10);
    await releaseExpiredDeliveries(world.services);
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "pending", isClaimed: true }]);
    await world.sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where endpoint_id = ${id}`;
    await releaseExpiredDeliveries(world.services);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "pending", isClaimed: false, attempts: 1, tries: [{ number: 1, errorClass: "interrupted" }] },
    ]);
    expect(await world.services.metrics.text()).toMatch(
      /waypost_webhook_attempts_total\{result="interrupted"\} [1-9]/,
    );
    expect((await deliveriesOf(world, id))[0]?.pauseMs).toSatisfy(within([0, 6]));
    await makeDue(world, id);
    await deliverToEndpoint(world.services, id);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "delivered", attempts: 2, tries: [{}, { errorClass: null }] },
    ]);
  });

  test("of a process that dies each time end when the schedule does", async () => {
    const { id } = await endpointWith(world, 1);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await makeDue(world, id);
      expect(await claimDeliveries(world.services, id, 1)).toHaveLength(1);
      await world.sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where endpoint_id = ${id}`;
      await releaseExpiredDeliveries(world.services);
    }
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "failed", attempts: 10, waitMs: null }]);
  });

  test("that was asked for again meanwhile is made again, though it was the last of its schedule", async () => {
    const { id, ctx } = await endpointWith(world, 1);
    await world.sql`update webhook_deliveries set attempts = 9 where endpoint_id = ${id}`;
    const [claimed] = await claimDeliveries(world.services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    await redeliverWebhook({ ctx, input: { id, delivery_id: claimed.id } });
    world.receiver.answersStatus(500);
    const attemptResult = await callEndpoint(world.services, claimed);
    await recordDeliveries(world.services, [{ delivery: claimed, attemptResult, isRetried: true }]);
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).toMatchObject({ state: "pending", attempts: 0, isClaimed: false });
    expect(delivery?.pauseMs).toSatisfy(within([4, 6]));
  });

  test("count as delivered also when the answer comes after the claim has run out", async () => {
    const { id } = await endpointWith(world, 1);
    const [claimed] = await claimDeliveries(world.services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    await world.sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where endpoint_id = ${id}`;
    await releaseExpiredDeliveries(world.services);
    const attemptResult = await callEndpoint(world.services, claimed);
    await recordDeliveries(world.services, [{ delivery: claimed, attemptResult, isRetried: true }]);
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "delivered", waitMs: null }]);
  });
});

describe("slots", () => {
  test("are left for others, however many slow endpoints one organization has", async () => {
    const slow = await endpointWith(world, 40);
    const others = [slow.id];
    for (let i = 0; i < 3; i++) {
      const { id } = await addEndpoint(slow.ctx, { url: world.receiver.url });
      await addDeliveries(slow.ctx, id, 40);
      others.push(id);
    }
    const held: (() => void)[] = [];
    const healthy = await endpointWith(world, 0, { url: `${world.receiver.url}/healthy` });
    world.receiver.answers((response, { path }) => {
      const answer = () => void response.writeHead(204).end();
      if (path.endsWith("/healthy")) answer();
      else held.push(answer);
    });
    const services = servicesWith(world.services, {
      concurrency: { webhooks: createConcurrencyLimiter(SLOTS) },
    });
    const runs = others.map((id) => deliverToEndpoint(services, id));
    await until("the slow ones have what they get", async () => held.length >= SLOTS / 2);
    await addDeliveries(healthy.ctx, healthy.id, 5);
    await deliverToEndpoint(services, healthy.id);
    expect((await deliveriesOf(world, healthy.id)).map(({ state }) => state)).toEqual(
      Array(5).fill("delivered"),
    );
    expect(held.length).toBeLessThanOrEqual(SLOTS / 2);
    world.receiver.answersStatus(204);
    held.forEach((answer) => answer());
    await Promise.all(runs);
  });
});

describe("what isn't sent", () => {
  test("waits for an endpoint without an address, however often it is looked for", async () => {
    const { id } = await endpointWith(world, 1, { url: null });
    await deliverToEndpoint(world.services, id);
    expect(world.receiver.calls).toEqual([]);
  });

  test("is skipped where the endpoint was disabled meanwhile, also what isn't due yet", async () => {
    const { id } = await endpointWith(world, 2);
    await world.sql`update webhook_deliveries set next_attempt_at = now() + interval '1 day' where endpoint_id = ${id}`;
    await world.sql`update webhook_endpoints set disabled_at = now(), disabled_reason = 'member' where id = ${id}`;
    expect(await dueEndpoints(world.services)).toContain(id);
    await deliverToEndpoint(world.services, id);
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).toEqual(["skipped", "skipped"]);
    expect(await dueEndpoints(world.services)).not.toContain(id);
    expect(world.receiver.calls).toEqual([]);
  });

  test("is what was erased, and that is no failure of the endpoint", async () => {
    const { id } = await endpointWith(world, 1);
    await world.sql`update webhook_events set body = null where id in (select event_id from webhook_deliveries where endpoint_id = ${id})`;
    await deliverToEndpoint(world.services, id);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "failed", tries: [{ errorClass: "erased" }] },
    ]);
    expect(world.receiver.calls).toEqual([]);
    expect(await endpointRow(world, id)).toMatchObject({ failingSince: null });
  });
});

test("a claim that waits for a change of the endpoint goes to the new address, signed with the new secret", async () => {
  const { id } = await addEndpoint(world.ctx, { url: "https://old.example.com/" });
  await addDeliveries(world.ctx, id, 1);
  let claiming: ReturnType<typeof claimDeliveries> | undefined;
  await world.sql.begin(async (tx) => {
    await tx`update webhook_endpoints set url = 'https://new.example.com/', secret_encrypted = 'new' where id = ${id}`;
    claiming = claimDeliveries(world.services, id, 1);
    await until("the claim waits for the endpoint", async () => {
      const waiting = await world.sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and strpos(query, 'lock_webhook_slots') > 0`;
      return waiting.length > 0;
    });
  });
  expect(await claiming).toMatchObject([{ url: "https://new.example.com/", secretsEncrypted: ["new"] }]);
});

test("a claim looks at what is due only, however much waits for later", async () => {
  const { id } = await endpointWith(world, 5_000);
  await world.sql`
    update webhook_deliveries set next_attempt_at = now() + interval '1 day' where endpoint_id = ${id}`;
  await world.sql`
    update webhook_deliveries set next_attempt_at = now()
    where id in (select id from webhook_deliveries where endpoint_id = ${id} limit 3)`;
  await world.sql`vacuum (analyze) webhook_deliveries`;
  const rows = await rowsReadBy(world.sql, "webhook_deliveries", async (sql) => {
    expect(await claimDeliveries({ ...world.services, sql }, id, 10)).toHaveLength(3);
  });
  expect(rows).toBeLessThan(100);
});
