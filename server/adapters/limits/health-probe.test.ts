import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "@/e2e/support/free-port";
import { type RedisServer, startRedis } from "@/e2e/support/redis-server";
import { startUpstashBridge, type UpstashBridge } from "@/e2e/support/upstash-bridge";
import { createLimits } from "./limits";
import type { RedisLink } from "./redis-link";
import { openRestLink } from "./rest-link";
import { createSlidingWindowStore } from "./sliding-window";
import { openTcpLink } from "./tcp-link";
import { recordLog } from "./testing";

const PASSWORD = "s3cret-of-redis";
const WRONG = "wr0ng";

let redis: RedisServer;
let bridge: UpstashBridge;
let nobodys: number;
beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
  bridge = await startUpstashBridge(redis.url);
  nobodys = await freePort();
});
afterAll(async () => {
  await bridge.close();
  await redis.close();
});

/** The log lines of one probe. */
async function probeOnce(link: RedisLink) {
  const { log, lines } = recordLog();
  await createLimits(createSlidingWindowStore(link), log).probe();
  await link.close();
  return lines();
}

test("a look at a store that works says nothing", async () => {
  expect(await probeOnce(openTcpLink(redis.url))).toEqual([]);
  expect(await probeOnce(openRestLink(bridge))).toEqual([]);
});

const tcp = (url: string) => openTcpLink(url);
const WRONG_ADDRESSES = [
  ["Redis without its password", () => tcp(`redis://127.0.0.1:${redis.port}`), /NOAUTH/],
  ["Redis with a wrong password", () => tcp(redis.url.replace(PASSWORD, WRONG)), /^Redis refused: WRONGPASS/],
  ["Redis at a wrong port", () => tcp(`redis://:${WRONG}@127.0.0.1:${nobodys}`), /reached: ECONNREFUSED$/],
  [
    "Redis over TLS that doesn't speak it",
    () => tcp(redis.url.replace("redis:", "rediss:")),
    /^Redis can't be reached over TLS: /,
  ],
  ["Upstash with a wrong token", () => openRestLink({ url: bridge.url, token: WRONG }), /401/],
  [
    "Upstash at a wrong address",
    () => openRestLink({ url: `http://127.0.0.1:${nobodys}`, token: WRONG }),
    /ECONNREFUSED/,
  ],
] as const;

test.each(WRONG_ADDRESSES)("a look at %s says so once, with variable and address", async (_, open, words) => {
  const link = open();
  const lines = await probeOnce(link);
  expect(lines).toMatchObject([
    { level: "error", store: link.name, err: { message: expect.stringMatching(words) } },
  ]);
  expect(link.place).toMatch(
    link.name === "redis"
      ? /^REDIS_URL \(rediss?:\/\/127\.0\.0\.1:\d+\)$/
      : /^UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN \(http:\/\/127\.0\.0\.1:\d+\)$/,
  );
  expect(lines[0]?.place).toBe(link.place);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${PASSWORD}|${WRONG}`));
});
