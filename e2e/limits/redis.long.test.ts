import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Api, type ApiAnswer, openApi } from "@/e2e/support/api";
import { type RedisServer, startRedis } from "@/e2e/support/redis-server";
import { until } from "@/e2e/support/until";
import { startUpstashBridge, type UpstashBridge } from "@/e2e/support/upstash-bridge";
import { attachWaypost, type Waypost } from "@/e2e/support/waypost";
import { limitHeaders, type LimitsWorld, openLimitsWorld } from "./world";

const REDIS_PASSWORD = "s3cret-of-redis";

let world: LimitsWorld;

beforeAll(async () => void (world = await openLimitsWorld()));
afterAll(() => world?.close());

describe("two processes on one Redis, one by its own protocol and one by Upstash's", () => {
  let redis: RedisServer;
  let bridge: UpstashBridge;
  let processes: readonly Waypost[] = [];
  let direct: Api;
  let rest: Api;
  beforeAll(async () => {
    redis = await startRedis({ password: REDIS_PASSWORD });
    bridge = await startUpstashBridge(redis.url);
    const upstash = { UPSTASH_REDIS_REST_URL: bridge.url, UPSTASH_REDIS_REST_TOKEN: bridge.token };
    processes = await Promise.all([
      attachWaypost(world.server, { WAYPOST_ROLE: "api", REDIS_URL: redis.url }),
      attachWaypost(world.server, { WAYPOST_ROLE: "api", ...upstash }),
    ]);
    const [first, second] = await Promise.all(processes.map(({ baseUrl }) => openApi(baseUrl)));
    if (!first || !second) throw new Error("There are two processes");
    [direct, rest] = [first, second];
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await bridge?.close();
    await redis?.close();
  });

  it("say at the start that a Redis can't be used, and where it is named, and answer all the same", async () => {
    const url = redis.url.replace(REDIS_PASSWORD, "wr0ng");
    const api = await attachWaypost(world.server, { WAYPOST_ROLE: "api", REDIS_URL: url });
    await until("it is said", async () => api.output().includes("the limiter's store fails"));
    const reported = api
      .output()
      .split("\n")
      .filter((line) => line.includes("the limiter's store fails"));
    expect(reported).toEqual([expect.stringContaining(`REDIS_URL (redis://127.0.0.1:${redis.port})`)]);
    expect(reported[0]).toContain("WRONGPASS");
    expect(api.output()).not.toContain("wr0ng");
    expect((await fetch(`${api.baseUrl}/healthz`)).status).toBe(200);
    await api.stop();
  });

  it("share one window, and count nothing in PostgreSQL", async () => {
    const { id: keyId, secret } = await world.newKey(1_000);
    const answers: ApiAnswer[] = [];
    for (let index = 0; index < 4; index += 1)
      answers.push(await world.send(index % 2 ? rest : direct, secret));
    // If a minute ended in between, the units of the previous one weigh slightly less.
    const remaining = answers.map((answer) => Number(limitHeaders(answer)["x-ratelimit-remaining"]));
    expect(remaining[0]).toBe(999);
    for (const [index, left] of remaining.entries()) expect([999 - index, 1000 - index]).toContain(left);
    expect(await world.sql`select 1 from rate_windows where subject = ${keyId}`).toEqual([]);
    expect(await redis.ask("KEYS waypost:rate:*")).toContain(keyId);
  });

  it("let everything through while Redis is away, without limits' headers, and limit again when it is back", async () => {
    const { secret } = await world.newKey(1);
    const isLimited = async (api: Api) => (await world.send(api, secret)).status === 429;
    await until("the key is limited", () => isLimited(direct));
    expect(await isLimited(rest)).toBe(true);

    await redis.kill();
    const isLetThrough = async (api: Api) => {
      const answer = await world.send(api, secret);
      return answer.status === 201 && Object.keys(limitHeaders(answer)).length === 0;
    };
    for (const api of [direct, rest]) await until("a message is let through", () => isLetThrough(api));
    const letThrough = await Promise.all(
      Array.from({ length: 40 }, (_, i) => isLetThrough(i % 2 ? rest : direct)),
    );
    expect(new Set(letThrough)).toEqual(new Set([true]));

    await redis.start();
    for (const api of [direct, rest]) await until("the key is limited again", () => isLimited(api));
    for (const { output } of processes) {
      const reported = output()
        .split("\n")
        .filter((line) => line.includes("the limiter's store fails"));
      expect(reported.length).toBeGreaterThanOrEqual(1);
      expect(reported.length).toBeLessThan(5);
      expect(output()).not.toMatch(new RegExp(`${REDIS_PASSWORD}|${bridge.token}`));
    }
  });
});
