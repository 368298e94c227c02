import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import type { Services } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { signalDelivery } from "../deliver/deliver";
import { deliverWithReplays } from "./deliver-replays";
import { replayWebhooks } from "./replay";
import { DUE_MAX } from "./replay-batch";
import {
  addDeliveries,
  addPastDeliveries,
  endpointWith,
  openWebhookWorld,
  type WebhookWorld,
} from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());

/** Like a process that runs jobs: each immediate wake-up runs the function, or reaches the current run. */
function withJobs(services: Services) {
  const runs: Promise<void>[] = [];
  const working: Services = {
    ...services,
    jobs: {
      ...NO_JOBS,
      notifyEndpoint(endpointId, at) {
        if (at === undefined && !signalDelivery(working, endpointId))
          runs.push(deliverWithReplays(working, endpointId));
      },
    },
  };
  return { services: working, ended: () => Promise.all(runs) };
}

test("a long replay goes on without the sweep, and what happens meanwhile comes soon", async () => {
  const many = 2 * DUE_MAX;
  const { id, ctx } = await endpointWith(world, 0);
  await addPastDeliveries(ctx, id, { count: many, state: "skipped" });
  const { services, ended } = withJobs(world.services);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await replayWebhooks({ ctx: { ...ctx, services }, input: { id, since, only: "skipped" } });
  await until("the replay is under way", async () => world.receiver.calls.length > 100);
  await addDeliveries(ctx, id, 1);
  const before = world.receiver.calls.length;
  await until("all of it is delivered", async () => world.receiver.calls.length === many + 1);
  await ended();
  const live = world.receiver.calls.findIndex(({ body }) => body.includes("webhook.test"));
  // Deliveries that were already claimed may also precede it.
  expect(live - before).toBeLessThan(DUE_MAX + 100);
  const [replay] =
    await world.sql`select finished_at is not null as "isFinished" from webhook_replays where endpoint_id = ${id}`;
  expect(replay).toEqual({ isFinished: true });
});

test("an endpoint without a replay is delivered to as ever", async () => {
  world.receiver.calls.length = 0;
  const { id } = await endpointWith(world, 3);
  await deliverWithReplays(world.services, id);
  expect(world.receiver.calls).toHaveLength(3);
});
