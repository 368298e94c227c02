import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPool, type Sql } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { type Api, type ApiAnswer, openApi } from "@/e2e/support/api";
import { createKey, demo, type Demo } from "@/e2e/support/cli";
import { type RedisServer, startRedis } from "@/e2e/support/redis-server";
import { until } from "@/e2e/support/until";
import { startUpstashBridge, type UpstashBridge } from "@/e2e/support/upstash-bridge";
import { attachWaypost, startWaypost, type Waypost } from "@/e2e/support/waypost";

const LIMIT = 60;
/** Set: the wait that a refusal names is waited for, in place of making the window older. */
const IN_REAL_TIME = process.env.LIMITS_IN_REAL_TIME !== undefined;
const REDIS_PASSWORD = "s3cret-of-redis";
const HEADERS = ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

let owner: Waypost;
let organization: Demo;
let sql: Sql;

beforeAll(async () => {
  owner = await startWaypost();
  organization = await demo(owner);
  const run = await readRunFile(owner.dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  sql = createPool(run.postgres, { name: "limits-test", connectionsMax: 1 });
});

afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await owner?.stop();
});

function send(api: Api, key: string, id: string = randomUUID(), body = "Hello"): Promise<ApiAnswer> {
  const to = { kind: "whatsapp", handle: organization.contacts.open_window.handle };
  const json = { client_message_id: id, type: "text", to, text: { body } };
  return api.call({ path: "/messages", key, json });
}

const newKey = (sendLimit?: number) =>
  createKey(owner, organization.organization_id, sendLimit === undefined ? {} : { sendLimit });

/** The headers of a limit that an answer carries, by name. */
function limitHeaders({ headers }: ApiAnswer): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS.includes(name)));
}

function count(answers: readonly ApiAnswer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

describe("two processes on PostgreSQL", () => {
  let attached: Waypost;
  let apis: readonly [Api, Api];
  beforeAll(async () => {
    attached = await attachWaypost(owner, { WAYPOST_ROLE: "api" });
    apis = [await openApi(owner.baseUrl), await openApi(attached.baseUrl)];
  });
  afterAll(async () => void (await attached?.stop()));

  const either = (index: number) => apis[index % 2 === 0 ? 0 : 1];

  /** Lets so many seconds pass for the window of a key. */
  async function pass(keyId: string, seconds: number): Promise<void> {
    if (IN_REAL_TIME) {
      const endMs = performance.now() + seconds * 1000;
      await until("the wait is over", () => performance.now() >= endMs, { timeoutMs: 70_000 });
      return;
    }
    const aged = await sql`
      update rate_windows set last_second = last_second - ${seconds},
        counts = (select array_agg(counts[1 + (i + ${seconds}) % 61] order by i) from generate_series(0, 60) i)
      where subject = ${keyId} and bucket = 'send' returning 1`;
    expect(aged).toHaveLength(1);
  }

  it("accept 60 new messages of a key a minute, whatever repeats and conflicts come between, and one after the wait", async () => {
    const { id: keyId, secret } = await newKey();
    const ids = Array.from({ length: LIMIT }, () => randomUUID());
    for (const [index, id] of ids.entries()) {
      expect((await send(either(index), secret, id)).status).toBe(201);
      if (index % 6 !== 0) continue;
      const [repeat, conflict] = await Promise.all([
        send(either(index + 1), secret, id),
        send(either(index), secret, id, "Other"),
      ]);
      expect([repeat.status, conflict.status]).toEqual([200, 409]);
      expect({ ...limitHeaders(repeat), ...limitHeaders(conflict) }).toEqual({});
    }
    const refused = await send(apis[1], secret);
    expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
    expect(limitHeaders(refused)).toEqual({
      "retry-after": expect.stringMatching(/^([1-9]|[1-5][0-9]|6[01])$/),
      "x-ratelimit-limit": String(LIMIT),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": expect.stringMatching(/^[0-9]{10}$/),
    });
    expect((await send(apis[0], secret, ids[0])).status).toBe(200);
    expect((await send(apis[1], secret, ids[1], "Other")).status).toBe(409);

    await pass(keyId, Number(limitHeaders(refused)["retry-after"]));
    expect((await send(apis[0], secret)).status).toBe(201);
  });

  it("accept 60 of 100 that come at the same time", async () => {
    const { secret } = await newKey();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => send(either(index), secret)));
    expect([count(answers, 201), count(answers, 429)]).toEqual([LIMIT, 40]);
  });
});

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
      attachWaypost(owner, { WAYPOST_ROLE: "api", REDIS_URL: redis.url }),
      attachWaypost(owner, { WAYPOST_ROLE: "api", ...upstash }),
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
    const api = await attachWaypost(owner, { WAYPOST_ROLE: "api", REDIS_URL: url });
    await until("it is said", async () => api.output().includes("the limiter's store fails"));
    const told = api
      .output()
      .split("\n")
      .filter((line) => line.includes("the limiter's store fails"));
    expect(told).toEqual([expect.stringContaining(`REDIS_URL (redis://127.0.0.1:${redis.port})`)]);
    expect(told[0]).toContain("WRONGPASS");
    expect(api.output()).not.toContain("wr0ng");
    expect((await fetch(`${api.baseUrl}/healthz`)).status).toBe(200);
    await api.stop();
  });

  it("share one window, and count nothing in PostgreSQL", async () => {
    const { id: keyId, secret } = await newKey(1_000);
    const answers: ApiAnswer[] = [];
    for (let index = 0; index < 4; index += 1) answers.push(await send(index % 2 ? rest : direct, secret));
    // Where a minute ended in between, the units of the one before weigh a little less.
    const remaining = answers.map((answer) => Number(limitHeaders(answer)["x-ratelimit-remaining"]));
    expect(remaining[0]).toBe(999);
    for (const [index, left] of remaining.entries()) expect([999 - index, 1000 - index]).toContain(left);
    expect(await sql`select 1 from rate_windows where subject = ${keyId}`).toEqual([]);
    expect(await redis.ask("KEYS waypost:rate:*")).toContain(keyId);
  });

  it("let everything through while Redis is away, without limits' headers, and limit again when it is back", async () => {
    const { secret } = await newKey(1);
    const isLimited = async (api: Api) => (await send(api, secret)).status === 429;
    await until("the key is limited", () => isLimited(direct));
    expect(await isLimited(rest)).toBe(true);

    await redis.kill();
    const isLetThrough = async (api: Api) => {
      const answer = await send(api, secret);
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
      const told = output()
        .split("\n")
        .filter((line) => line.includes("the limiter's store fails"));
      expect(told.length).toBeGreaterThanOrEqual(1);
      expect(told.length).toBeLessThan(5);
      expect(output()).not.toMatch(new RegExp(`${REDIS_PASSWORD}|${bridge.token}`));
    }
  });
});
