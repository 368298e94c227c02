import pino, { type Logger } from "pino";
import { vi } from "vitest";
import { createPool } from "@/db/client";
import { createTestDatabase } from "@/db/testing";
import { type RedisServer, startRedis } from "@/e2e/support/redis-server";
import { startUpstashBridge, type UpstashBridge } from "@/e2e/support/upstash-bridge";
import type { LimiterStore } from "./limits";
import { createPostgresStore } from "./postgres";
import type { RedisLink } from "./redis-link";
import { openRestLink } from "./rest-link";
import { createSlidingWindowStore } from "./sliding-window";
import { openTcpLink } from "./tcp-link";

/** One store as two processes see it, with a clock that moves only when a test moves it. */
export interface StoreWorld {
  readonly one: LimiterStore;
  readonly other: LimiterStore;
  /** A negative value sets the clock back. */
  pass(seconds: number): Promise<void>;
  nowSeconds(): Promise<number>;
  close(): Promise<void>;
}

/** Two seconds before the end of a bucket of Redis's windows. */
const START = "2030-01-01T00:00:58.25Z";

/** Opens PostgreSQL, with a test clock in the limiter's function. */
export async function openPostgresWorld(): Promise<StoreWorld> {
  const database = await createTestDatabase();
  await database.sql.unsafe(`
    create schema frozen;
    create table frozen.clock (now timestamptz not null);
    insert into frozen.clock values ('${START}');
    create function frozen.clock_timestamp() returns timestamptz language sql as 'select now from frozen.clock';
    do $$ begin
      execute replace(pg_get_functiondef('take_rate_units'::regproc), 'pg_catalog.clock', 'frozen.clock');
    end $$`);
  const pools = ["one", "other"].map((name) => createPool(database.connection, { name, connectionsMax: 2 }));
  const [one, other] = pools.map(createPostgresStore);
  if (!one || !other) throw new Error("There are two pools");
  return {
    one,
    other,
    async pass(seconds) {
      await database.sql`update frozen.clock set now = now + make_interval(secs => ${seconds})`;
    },
    async nowSeconds() {
      const [row] = await database.sql<{ now: Date }[]>`select now from frozen.clock`;
      return (row?.now.getTime() ?? 0) / 1000;
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
      await database.drop();
    },
  };
}

export interface RedisWorld extends StoreWorld {
  readonly redis: RedisServer;
}

/** Opens a real redis-server, with its own protocol. */
export async function openRedisWorld(): Promise<RedisWorld> {
  const redis = await startRedis();
  return openLinkWorld(
    redis,
    () => openTcpLink(redis.url),
    async () => undefined,
  );
}

/** Opens the same with Upstash's REST protocol. */
export async function openUpstashWorld(): Promise<RedisWorld & { readonly bridge: UpstashBridge }> {
  const redis = await startRedis();
  const bridge = await startUpstashBridge(redis.url);
  const world = openLinkWorld(
    redis,
    () => openRestLink(bridge),
    () => bridge.close(),
  );
  return { ...world, bridge };
}

/** The library uses the clock of its process. */
function openLinkWorld(
  redis: RedisServer,
  open: () => RedisLink,
  closeBridge: () => Promise<void>,
): RedisWorld {
  const links = [open(), open()] as const;
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(START) });
  return {
    redis,
    one: createSlidingWindowStore(links[0]),
    other: createSlidingWindowStore(links[1]),
    async pass(seconds) {
      vi.setSystemTime(Date.now() + seconds * 1000);
    },
    nowSeconds: async () => Date.now() / 1000,
    async close() {
      vi.useRealTimers();
      await Promise.all(links.map((link) => link.close()));
      await closeBridge();
      await redis.close();
    },
  };
}

/** Granted units, and their time. */
export interface Granting {
  readonly atMs: number;
  units: number;
}

/** Returns the highest number of units granted in any 60 seconds. */
export function maxInWindow(grantings: readonly Granting[]): number {
  const windows = grantings.map(({ atMs: startMs }) =>
    grantings
      .filter(({ atMs }) => atMs >= startMs && atMs < startMs + 60_000)
      .reduce((sum, { units }) => sum + units, 0),
  );
  return Math.max(0, ...windows);
}

/** Creates a log with readable lines. */
export function recordLog(): { log: Logger; lines: () => readonly Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const options = {
    serializers: { err: pino.stdSerializers.errWithCause },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines: () => lines };
}
