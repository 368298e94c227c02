import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { createDrain, type DrainWork } from "./drain";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

/**
 * Rows for one receiver that accepts so many calls at a time. A call ends when the test says so, and its row is due again if
 * it isn't final.
 */
function queueOf(rows: number, slots = 1) {
  const ends: ((isFinal?: boolean) => void)[] = [];
  const target: string[] = [];
  const counts = { claims: 0, looks: 0 };
  /** Runs in the middle of each claim. */
  let meanwhile: () => Promise<void> = async () => undefined;
  let due = rows;
  let calls = 0;
  const work: DrainWork = {
    permits: (services, id) => Promise.resolve(services.concurrency.webhooks.join(id)),
    start: async (_services, _id, max) => {
      counts.claims += 1;
      const started = Math.min(max, due, slots - calls);
      due -= started;
      calls += started;
      await meanwhile();
      const ended = () =>
        new Promise<boolean>((resolve) => {
          ends.push((isFinal = true) => {
            calls -= 1;
            due += isFinal ? 0 : 1;
            resolve(isFinal);
          });
        });
      return { calls: Array.from({ length: started }, ended), isQueueEmpty: started > 0 && due === 0 };
    },
    queueState: async () => {
      counts.looks += 1;
      return { hasDue: due > 0, nextDueAt: null };
    },
    notify: (_services, id) => void target.push(id),
  };
  return {
    work,
    ends,
    target,
    counts,
    left: () => due,
    add: (more: number) => void (due += more),
    during: (act: () => Promise<void>) => void (meanwhile = act),
  };
}

test("a run whose only row is done neither claims again nor looks for more", async () => {
  const queue = queueOf(1);
  const { run } = createDrain(queue.work);
  const running = run(world.services, "a");
  await until("the call runs", () => queue.ends[0]);
  queue.ends[0]?.();
  expect(await running).toBe(1);
  expect(queue.counts).toEqual({ claims: 1, looks: 0 });
  expect(queue.target).toEqual([]);
});

test("a run whose only row is due again makes its call again", async () => {
  const queue = queueOf(1);
  const { run } = createDrain(queue.work);
  const running = run(world.services, "a");
  await until("the call runs", () => queue.ends[0]);
  queue.ends[0]?.(false);
  await until("it runs again", () => queue.ends[1]);
  queue.ends[1]?.();
  expect(await running).toBe(2);
});

test("a run that hears of a row while its only call runs claims that too", async () => {
  const queue = queueOf(1);
  const { run, signal } = createDrain(queue.work);
  const running = run(world.services, "a");
  await until("the call runs", () => queue.ends[0]);
  queue.add(1);
  expect(signal(world.services, "a")).toBe(true);
  queue.ends[0]?.();
  await until("the second call runs", () => queue.ends[1]);
  queue.ends[1]?.();
  expect(await running).toBe(2);
});

test("a run with many calls claims again when half of them have ended, for all of these at once", async () => {
  const queue = queueOf(24, 16);
  const { run } = createDrain(queue.work, { lingerMs: 60_000 });
  const running = run(world.services, "a");
  await until("the calls run", () => queue.ends.length === 16);
  for (let ended = 0; ended < 8; ended += 1) {
    queue.ends[ended]?.();
    await new Promise(setImmediate);
  }
  await until("eight more run", () => queue.ends.length === 24);
  expect(queue.counts.claims).toBe(2);
  for (const end of queue.ends.slice(8)) end();
  expect(await running).toBe(24);
});

test("a run whose claim found no place, though its calls ended meanwhile, claims again", async () => {
  const queue = queueOf(2);
  const { run, signal } = createDrain(queue.work);
  const running = run(world.services, "a");
  const first = await until("the call runs", () => queue.ends[0]);
  queue.during(async () => {
    first();
    await new Promise(setImmediate);
  });
  signal(world.services, "a");
  await until("the second call runs", () => queue.ends[1]);
  queue.ends[1]?.();
  expect(await running).toBe(2);
  expect(queue.left()).toBe(0);
});

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
