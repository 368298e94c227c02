import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { createDrain, type DrainWork } from "./drain";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

/** Rows for one receiver that accepts one call at a time. A call ends when the test says so. */
function queueOf(rows: number) {
  const ends: (() => void)[] = [];
  const target: string[] = [];
  let due = rows;
  let calls = 0;
  const work: DrainWork = {
    permits: (services, id) => Promise.resolve(services.concurrency.webhooks.join(id)),
    start: async (_services, _id, max) => {
      const started = Math.min(max, due, 1 - calls);
      due -= started;
      calls += started;
      const ended = () =>
        new Promise<boolean>((resolve) => {
          ends.push(() => {
            calls -= 1;
            resolve(true);
          });
        });
      return { calls: Array.from({ length: started }, ended), isQueueEmpty: started > 0 && due === 0 };
    },
    queueState: () => Promise.resolve({ hasDue: due > 0, nextDueAt: null }),
    notify: (_services, id) => void target.push(id),
  };
  return { work, ends, target, left: () => due };
}

test("a call that outlives its run asks for another when it ends, though a run in between found no place", async () => {
  const queue = queueOf(2);
  const { run } = createDrain(queue.work, { drainMs: 50 });
  await run(world.services, "a");
  expect(queue.target).toEqual(["a"]);
  await run(world.services, "a");
  expect(queue.target).toEqual(["a"]);
  expect(queue.left()).toBe(1);
  queue.ends[0]?.();
  await expect.poll(() => queue.target).toEqual(["a", "a"]);
  const last = run(world.services, "a");
  await until("the second call runs", () => queue.ends[1]);
  queue.ends[1]?.();
  await last;
  expect(queue.left()).toBe(0);
});
