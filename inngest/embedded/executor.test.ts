import { eventType, Inngest } from "inngest";
import { serve } from "inngest/edge";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createLogger } from "@/server/platform/log";
import { createEmbeddedExecutor, type EmbeddedExecutor } from "./executor";

const BASE_URL = "http://inngest.embedded";
const worked = eventType("test/worked", { schema: z.object({ channelId: z.string(), n: z.number() }) });

let executor: EmbeddedExecutor;

const gates = new Map<number, () => void>();

afterEach(async () => {
  vi.useRealTimers();
  for (const end of gates.values()) end();
  await executor.stop();
});

type Work = (data: { channelId: string; n: number }) => Promise<void>;

/** The executor with the SDK's own client and serve handler, and a function for each kind of work. */
function start(works: Readonly<Record<string, Work>>) {
  executor = createEmbeddedExecutor({
    baseUrl: BASE_URL,
    appId: "waypost",
    log: createLogger({ level: "silent" }),
  });
  const quiet = () => undefined;
  const client = new Inngest({
    id: "waypost",
    isDev: true,
    baseUrl: BASE_URL,
    eventKey: "embedded",
    fetch: executor.fetch,
    logger: { info: quiet, warn: quiet, error: quiet, debug: quiet },
  });
  const functions = Object.entries(works).map(([id, work]) =>
    client.createFunction(
      {
        id,
        triggers: [worked],
        concurrency: { limit: 1, key: "event.data.channelId" },
        retries: 0,
        checkpointing: false,
      },
      async ({ event, step }) => {
        await step.run("work", () => work(event.data));
      },
    ),
  );
  executor.start(functions, serve({ client, functions }));
  return {
    send: (channelId: string, n: number, ts?: number) =>
      client.send(worked.create({ channelId, n }, ts === undefined ? {} : { ts })),
  };
}

/** Work that ends when the test says so. */
function gated() {
  const begun: number[] = [];
  return {
    begun,
    work: ({ n }: { n: number }) =>
      new Promise<void>((resolve) => {
        begun.push(n);
        gates.set(n, resolve);
      }),
    end: (n: number) => gates.get(n)?.(),
  };
}

describe("a function", () => {
  test("runs once for each event, through the SDK's serve handler, with its data", async () => {
    const seen: unknown[] = [];
    const { send } = start({ work: async (data) => void seen.push(data) });
    await send("a", 1);
    await send("b", 2);
    await expect
      .poll(() => seen)
      .toEqual([
        { channelId: "a", n: 1 },
        { channelId: "b", n: 2 },
      ]);
  });

  test("runs one at a time per key, in order, and those of different keys together", async () => {
    const { begun, work, end } = gated();
    const { send } = start({ work });
    await send("a", 1);
    await send("a", 2);
    await send("a", 3);
    await send("b", 4);
    await expect.poll(() => begun).toEqual([1, 4]);
    end(1);
    await expect.poll(() => begun).toEqual([1, 4, 2]);
    end(2);
    await expect.poll(() => begun).toEqual([1, 4, 2, 3]);
    [3, 4].forEach(end);
  });

  test("that fails stops neither its next event nor another function", async () => {
    const seen: string[] = [];
    const { send } = start({
      failing: async ({ n }) => {
        seen.push(`failing ${n}`);
        throw new Error("broken");
      },
      working: async ({ n }) => void seen.push(`working ${n}`),
    });
    await send("a", 1);
    await send("a", 2);
    await expect.poll(() => [...seen].sort()).toEqual(["failing 1", "failing 2", "working 1", "working 2"]);
  });

  test("isn't run before its event's time", async () => {
    const seen: number[] = [];
    const { send } = start({ work: async () => void seen.push(Date.now()) });
    const ts = Date.now() + 1_000;
    await send("a", 1, ts);
    await send("b", 2);
    await expect.poll(() => seen).toHaveLength(2);
    expect(seen[0]).toBeLessThan(ts);
    expect(seen[1]).toBeGreaterThanOrEqual(ts);
  });
});

describe("the clock", () => {
  const DAY_MS = 86_400_000;

  /** At the beginning of an hour, or this many minutes later. */
  function startFaked(triggers: readonly object[], minute = 0) {
    const now = 1_767_225_600_500 + minute * 60_000;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"], now });
    executor = createEmbeddedExecutor({
      baseUrl: BASE_URL,
      appId: "waypost",
      log: createLogger({ level: "silent" }),
    });
    const calls: string[] = [];
    const opts = { id: "job", triggers, concurrency: { limit: 9 }, retries: 0, checkpointing: false };
    executor.start([{ opts }], async (request) => {
      const body: unknown = await request.json();
      calls.push(JSON.stringify(body));
      return new Response("{}", { status: 200 });
    });
    return calls;
  }

  test("runs what has a cron at once, and then with every minute", async () => {
    const calls = startFaked([{ cron: "* * * * *" }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(59_499);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(calls).toHaveLength(4);
  });

  test("runs what has a cron of every tenth minute at those of the hour only", async () => {
    const calls = startFaked([{ cron: "*/10 * * * *" }], 8);
    await vi.advanceTimersByTimeAsync(119_000);
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(599_000);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toHaveLength(2);
  });

  test("holds an event for longer than a timer can", async () => {
    const calls = startFaked([{ event: "test/far" }]);
    const body = JSON.stringify({ name: "test/far", data: {}, ts: Date.now() + 40 * DAY_MS });
    await executor.fetch(`${BASE_URL}/e/embedded`, { method: "POST", body });
    await vi.advanceTimersByTimeAsync(39 * DAY_MS);
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(calls).toHaveLength(1);
  });
});

describe("stopping", () => {
  test("waits for what runs, starts nothing more, and takes nothing more in", async () => {
    const { begun, work, end } = gated();
    const { send } = start({ work });
    await send("a", 1);
    await send("a", 2);
    const later = Date.now() + 400;
    await send("b", 3, later);
    await expect.poll(() => begun).toEqual([1]);
    let isStopped = false;
    const stopping = executor.stop().then(() => (isStopped = true));
    await send("c", 4);
    expect(isStopped).toBe(false);
    end(1);
    await stopping;
    await send("d", 5);
    await expect.poll(() => Date.now()).toBeGreaterThan(later + 20);
    expect(begun).toEqual([1]);
  });
});

test("what isn't an event of the client is not taken", async () => {
  start({});
  expect((await executor.fetch(`${BASE_URL}/v1/runs`)).status).toBe(404);
});
