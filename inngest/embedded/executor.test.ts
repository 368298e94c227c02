import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { coalesceJobs } from "@/server/core/jobs";
import { recordLog } from "@/server/adapters/limits/testing";
import { until } from "@/e2e/support/until";
import { openTestWorld } from "@/server/domain/organizations/testing";
import type { Job, JobEvent, JobId } from "../job";
import { createEmbeddedExecutor, type EmbeddedExecutor } from "./executor";

const { services, close } = await openTestWorld();
const jobs = coalesceJobs({ notifyRunning: () => false, send: async () => undefined });

let executor: EmbeddedExecutor;

const gates = new Map<number, () => void>();

afterEach(async () => {
  vi.useRealTimers();
  for (const end of gates.values()) end();
  await executor.stop();
});
afterAll(close);

const JOB = { everyMinutes: null, event: "test/worked", concurrencyField: "channelId" } as const;

const IDS: readonly JobId[] = ["drain-channel", "deliver-webhooks"];

interface Data {
  readonly channelId: string;
  readonly n: number;
}

/** The executor with a job for each kind of work. */
function start(...works: readonly ((data: Data) => Promise<void>)[]) {
  const { log, lines } = recordLog();
  const list = works.map((work, index): Job => {
    const run: Job["run"] = (_, { data }) => work({ channelId: String(data.channelId), n: Number(data.n) });
    return { ...JOB, id: IDS[index] ?? "sweep", run };
  });
  executor = createEmbeddedExecutor(list, { services: { ...services, log }, jobs });
  const send = (channelId: string, n: number, ts?: number) =>
    executor.send([{ name: JOB.event, data: { channelId, n }, ts }]);
  return { send, lines };
}

/** Work that ends when the test says so. */
function gated() {
  const begun: number[] = [];
  return {
    begun,
    work: ({ n }: Data) =>
      new Promise<void>((resolve) => {
        begun.push(n);
        gates.set(n, resolve);
      }),
    end: (n: number) => gates.get(n)?.(),
  };
}

describe("a job", () => {
  test("runs once for each event, with its data", async () => {
    const seen: unknown[] = [];
    const { send } = start(async (data) => void seen.push(data));
    send("a", 1);
    send("b", 2);
    await expect
      .poll(() => seen)
      .toEqual([
        { channelId: "a", n: 1 },
        { channelId: "b", n: 2 },
      ]);
  });

  test("runs one at a time per key, in order, and those of different keys together", async () => {
    const { begun, work, end } = gated();
    const { send } = start(work);
    send("a", 1);
    send("a", 2);
    send("a", 3);
    send("b", 4);
    await expect.poll(() => begun).toEqual([1, 4]);
    end(1);
    await expect.poll(() => begun).toEqual([1, 4, 2]);
    end(2);
    await expect.poll(() => begun).toEqual([1, 4, 2, 3]);
    [3, 4].forEach(end);
  });

  test("that requests itself before it waits for anything runs again, after its end", async () => {
    const { begun, work, end } = gated();
    const { send } = start((data) => {
      if (data.n === 1) send("a", 2);
      return work(data);
    });
    send("a", 1);
    await expect.poll(() => begun).toEqual([1]);
    end(1);
    await expect.poll(() => begun).toEqual([1, 2]);
  });

  test("that fails is logged with its error, and stops neither its next event nor another job", async () => {
    const seen: string[] = [];
    const { send, lines } = start(
      async ({ n }) => {
        seen.push(`failing ${n}`);
        throw new RangeError("too far");
      },
      async ({ n }) => void seen.push(`working ${n}`),
    );
    send("a", 1);
    send("a", 2);
    await expect.poll(() => [...seen].sort()).toEqual(["failing 1", "failing 2", "working 1", "working 2"]);
    await expect.poll(() => lines().length).toBe(2);
    expect(lines()[0]).toMatchObject({
      level: "error",
      job: IDS[0],
      err: { type: "RangeError", message: "too far", stack: expect.stringContaining("executor.test.ts") },
    });
  });

  test("isn't run before its event's time", async () => {
    const seen: number[] = [];
    const { send } = start(async () => void seen.push(Date.now()));
    const ts = Date.now() + 1_000;
    send("a", 1, ts);
    send("b", 2);
    await expect.poll(() => seen).toHaveLength(2);
    expect(seen[0]).toBeLessThan(ts);
    expect(seen[1]).toBeGreaterThanOrEqual(ts);
  });

  test("is counted for each run", async () => {
    const runs = async () =>
      Number(
        /^waypost_job_runs_total\{job="drain-channel"\} (\d+)$/m.exec(await services.metrics.text())?.[1],
      );
    const before = await runs();
    const { send } = start(async () => undefined);
    send("a", 1);
    send("a", 2);
    await expect.poll(runs).toBe(before + 2);
  });
});

describe("a turn", () => {
  const turn = (value: string) =>
    executor.takeTurn({ ...JOB, id: "drain-channel", run: async () => undefined }, value);

  test("is had by one at a time for each value, and runs that were asked for meanwhile follow it", async () => {
    const { begun, work, end } = gated();
    const { send } = start(work);
    const [ofA, ofB] = [turn("a"), turn("b")];
    expect(turn("a")).toBeNull();
    send("a", 1);
    await new Promise(setImmediate);
    expect(begun).toEqual([]);
    let isWorking = false;
    ofA?.run(async () => void (isWorking = true));
    await expect.poll(() => begun).toEqual([1]);
    expect(isWorking).toBe(true);
    expect(turn("a")).toBeNull();
    end(1);
    ofB?.run(async () => undefined);
    await executor.stop();
  });

  test("whose work fails ends too, and none is given after the stop", async () => {
    const { lines } = start();
    turn("a")?.run(() => Promise.reject(new Error("broken")));
    await expect.poll(() => lines()).toMatchObject([{ level: "error", job: "drain-channel" }]);
    const again = await until("the turn is free", () => turn("a"));
    again.run(async () => undefined);
    await executor.stop();
    expect(turn("a")).toBeNull();
  });
});

describe("the clock", () => {
  const DAY_MS = 86_400_000;

  /** At the beginning of an hour, or this many minutes later. */
  function startFaked(triggers: Pick<Job, "event" | "everyMinutes">, minute = 0): JobEvent[] {
    const now = 1_767_225_600_500 + minute * 60_000;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"], now });
    const runs: JobEvent[] = [];
    const job: Job = {
      id: "sweep",
      concurrencyField: null,
      ...triggers,
      run: async (_, event) => void runs.push(event),
    };
    executor = createEmbeddedExecutor([job], { services, jobs });
    return runs;
  }

  test("starts a job of every minute at once, and then with every minute", async () => {
    const runs = startFaked({ event: null, everyMinutes: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(59_499);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(runs).toHaveLength(4);
  });

  test("starts a job of every tenth minute at those of the hour only", async () => {
    const runs = startFaked({ event: null, everyMinutes: 10 }, 8);
    await vi.advanceTimersByTimeAsync(119_000);
    expect(runs).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(599_000);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(2);
  });

  test("holds an event for longer than a timer can", async () => {
    const runs = startFaked({ event: "test/far", everyMinutes: null });
    executor.send([{ name: "test/far", data: {}, ts: Date.now() + 40 * DAY_MS }]);
    await vi.advanceTimersByTimeAsync(39 * DAY_MS);
    expect(runs).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(runs).toHaveLength(1);
  });
});

describe("stopping", () => {
  test("waits for what runs, starts nothing more, and takes nothing more in", async () => {
    const { begun, work, end } = gated();
    const { send } = start(work);
    send("a", 1);
    send("a", 2);
    const later = Date.now() + 400;
    send("b", 3, later);
    await expect.poll(() => begun).toEqual([1]);
    let isStopped = false;
    const stopping = executor.stop().then(() => (isStopped = true));
    send("c", 4);
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    end(1);
    await stopping;
    send("d", 5);
    await expect.poll(() => Date.now()).toBeGreaterThan(later + 20);
    expect(begun).toEqual([1]);
  });
});
