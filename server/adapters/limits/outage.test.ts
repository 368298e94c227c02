import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RedisServer, startRedis } from "@/e2e/support/redis-server";
import { startUpstashBridge, type UpstashBridge } from "@/e2e/support/upstash-bridge";
import { until } from "@/e2e/support/until";
import { createLimits, type Limits, type Ticket } from "./limits";
import { LINK_TIMEOUT_MS, type RedisLink } from "./redis-link";
import { openRestLink } from "./rest-link";
import { createSlidingWindowStore } from "./sliding-window";
import { openTcpLink } from "./tcp-link";
import { recordLog } from "./testing";

const PASSWORD = "s3cret-of-redis";
const TOKEN = "s3cret-of-upstash";
const CLIENTS = 20;
/** On a machine so slow that an outage ends and begins again during the test. */
const LINES_MAX = 5;

let redis: RedisServer;
let bridge: UpstashBridge;
beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
  bridge = await startUpstashBridge(redis.url);
  bridge.token = TOKEN;
});
afterAll(async () => {
  await bridge.close();
  await redis.close();
});

const WAYS = [
  { name: "redis", variable: "REDIS_URL", open: (): RedisLink => openTcpLink(redis.url) },
  {
    name: "upstash",
    variable: "UPSTASH_REDIS_REST_URL",
    open: (): RedisLink => openRestLink({ url: bridge.url, token: TOKEN }),
  },
] as const;

describe.each(WAYS)("a Redis over $name", ({ open, variable }) => {
  let link: RedisLink;
  let limits: Limits;
  let lines: ReturnType<typeof recordLog>["lines"];
  beforeEach(() => {
    link = open();
    const recorded = recordLog();
    lines = recorded.lines;
    limits = createLimits(createSlidingWindowStore(link), recorded.log);
  });
  afterEach(() => link.close());

  /** Returns true if a key that may send once a minute is limited to that. */
  async function isLimiting(): Promise<boolean> {
    const key = randomUUID();
    const takes = [limits.take(key, "send", 1), limits.take(key, "send", 1)];
    const [first, second] = await Promise.allSettled(takes);
    return kindOf(first) === "granted" && second?.status === "rejected";
  }
  const untilLimiting = () => until("a key is held to its limit", isLimiting);
  const take = (limit = 1_000_000): Promise<Ticket> => limits.take(randomUUID(), "read", limit);

  test("that is killed and started again under load refuses nobody, and limits again by itself", async () => {
    await untilLimiting();
    const seen = { granted: 0, letThrough: 0 };
    const over = new AbortController();
    const client = async () => {
      while (!over.signal.aborted) {
        seen[(await take()).kind] += 1;
        // Like real requests: each in its own turn of the event loop.
        await nextTurn();
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    await expect.poll(() => seen.granted).toBeGreaterThan(CLIENTS);
    await redis.kill();
    await expect.poll(() => seen.letThrough).toBeGreaterThan(10 * CLIENTS);
    const grantedBefore = seen.granted;
    await redis.start();
    await expect.poll(() => seen.granted).toBeGreaterThan(grantedBefore + CLIENTS);
    over.abort();
    await Promise.all(clients);
    await untilLimiting();
    expect(limits.failures()).toBeGreaterThanOrEqual(seen.letThrough);
    expect(lines().length).toBeLessThanOrEqual(LINES_MAX);
  });

  test("that answers nothing holds no request up for long, and limits again once it answers", async () => {
    await untilLimiting();
    redis.pause();
    const startedMs = performance.now();
    expect(await take()).toEqual({ kind: "letThrough" });
    expect(performance.now() - startedMs).toBeGreaterThan(LINK_TIMEOUT_MS / 2);
    for (let round = 0; round < 5; round += 1) {
      const many = await Promise.all(Array.from({ length: 200 }, () => take()));
      expect(new Set(many.map(({ kind }) => kind))).toEqual(new Set(["letThrough"]));
    }
    redis.resume();
    await untilLimiting();
    expect(limits.failures()).toBeGreaterThan(1000);
    expect(lines().length).toBeLessThanOrEqual(LINES_MAX);
  });

  test("whose password was changed lets requests through until it is changed back, and the log names none", async () => {
    await untilLimiting();
    await redis.kill();
    await redis.start("an0ther");
    bridge.token = "an0ther";
    await expect.poll(async () => (await take()).kind).toBe("letThrough");
    await redis.kill();
    await redis.start(PASSWORD);
    bridge.token = TOKEN;
    await untilLimiting();
    const reported = JSON.stringify(lines());
    expect(reported).not.toMatch(/s3cret|an0ther/);
    expect(reported).toMatch(new RegExp(`${variable}.*127\\.0\\.0\\.1`));
  });

  test("that answers nothing costs no request any time once three have waited in vain", async () => {
    await untilLimiting();
    redis.pause();
    for (let waited = 0; waited < 3; waited += 1) await take();
    const startedMs = performance.now();
    for (let more = 0; more < 100; more += 1) expect(await take()).toEqual({ kind: "letThrough" });
    // A hundred requests that wait one after another take ten times as long.
    expect(performance.now() - startedMs).toBeLessThan(10 * LINK_TIMEOUT_MS);
    redis.resume();
    await untilLimiting();
  });
});

function kindOf(settled: PromiseSettledResult<Ticket> | undefined): string {
  return settled?.status === "fulfilled" ? settled.value.kind : "refused";
}
