import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { createPool } from "@/db/client";
import { readConfig } from "@/server/platform/config";
import { isReady } from "@/server/transport/health";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import type { Services } from "@/server/core/context";
import { createLimits } from "@/server/adapters/limits/limits";
import { recordLog } from "@/server/adapters/limits/testing";
import { createPostgresStore } from "@/server/adapters/limits/postgres";
import { removeJobHeartbeat, recordJobHeartbeat, recordServerRan } from "@/server/core/queue/heartbeats";
import { servicesWith } from "@/server/core/testing";
import { createReadiness } from "./readiness";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

/** As a newly started process checks it. */
const ask = (services: Services = world.services) => createReadiness(services)();

const noDatabase = () =>
  createPool({ url: "postgres://nobody@127.0.0.1:1/none" }, { name: "test", connectionsMax: 1 });

test("where everything works every part is true", async () => {
  await recordJobHeartbeat(world.services);
  const readiness = await ask();
  expect(readiness).toEqual({
    parts: { database: true, accepting: true },
    degradable: { migrations: true, limiter: true, uploads: true, jobs: true },
  });
  expect(isReady(readiness)).toBe(true);
});

test("without its database a process isn't ready, and says so in time", async () => {
  const sql = noDatabase();
  const startedAt = performance.now();
  const readiness = await ask({ ...world.services, sql });
  expect(performance.now() - startedAt).toBeLessThan(limitMs(4_000));
  expect(isReady(readiness)).toBe(false);
  expect(readiness.parts).toEqual({ database: false, accepting: true });
  // It says nothing about the schema of a database that can't be asked.
  expect(readiness.degradable).toMatchObject({ migrations: true });
  await sql.end({ timeout: 0 });
});

test("a process that is going isn't ready, whatever it answered a moment before", async () => {
  const going = new AbortController();
  const readiness = createReadiness(
    servicesWith(world.services, { lifecycle: { isLeaving: () => going.signal.aborted } }),
  );
  expect(isReady(await readiness())).toBe(true);
  going.abort();
  expect(await readiness()).toMatchObject({ parts: { database: true, accepting: false } });
});

const DEGRADED: [string, () => Promise<Partial<Services>>, () => Promise<unknown>][] = [
  [
    "migrations",
    async () => {
      await world.database.sql`insert into drizzle.__drizzle_migrations (hash, created_at)
        values ('of a newer version', 9999999999999)`;
      return {};
    },
    () => world.database.sql`delete from drizzle.__drizzle_migrations where created_at = 9999999999999`,
  ],
  [
    "limiter",
    async () => ({ limits: createLimits(createPostgresStore(noDatabase()), world.services.log) }),
    async () => undefined,
  ],
  [
    "uploads",
    async () => {
      const uploads = path.join(world.services.config.dataDir, "uploads");
      await rm(uploads, { recursive: true, force: true });
      await writeFile(uploads, "a file where the directory has to be");
      return {};
    },
    async () => {
      const uploads = path.join(world.services.config.dataDir, "uploads");
      await rm(uploads);
      await mkdir(uploads);
    },
  ],
  [
    "jobs",
    async () => {
      await removeJobHeartbeat(world.services);
      return {};
    },
    () => recordJobHeartbeat(world.services),
  ],
];

test.each(DEGRADED)(
  "%s that don't work are said, and the process stays ready: another one would answer no better",
  async (part, spoil, mend) => {
    const changes = await spoil();
    const readiness = await ask({ ...world.services, ...changes });
    await mend();
    const allTrue = { migrations: true, limiter: true, uploads: true, jobs: true };
    expect(readiness.degradable).toEqual({ ...allTrue, [part]: false });
    expect(isReady(readiness)).toBe(true);
    expect((await ask()).degradable).toEqual(allTrue);
  },
);

test("why a part can't be asked is logged, once however often it is asked", async () => {
  const { log, lines } = recordLog();
  const uploads = { ...world.services.uploads, requireWritable: () => Promise.reject(new Error("no room")) };
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 2_000));
  const readiness = createReadiness({ ...world.services, uploads, log });
  for (let asked = 0; asked < 5; asked++) {
    expect((await readiness()).degradable).toMatchObject({ uploads: false });
  }
  clock.mockRestore();
  expect(lines()).toMatchObject([{ level: "warn", part: "uploads", err: { message: "no room" } }]);
});

test("a process that takes no requests has no say in what they need", async () => {
  const { config } = world.services;
  const readiness = await ask({ ...world.services, config: { ...config, role: "jobs" } });
  expect(Object.keys(readiness.degradable ?? {})).toEqual(["migrations", "jobs"]);
});

test("an Inngest server that runs nothing is said where one is named, and the process stays ready", async () => {
  const env = { NODE_ENV: "test", INNGEST_DEV: "1" } as const;
  const config = { ...world.services.config, inngest: readConfig(env, process.cwd()).inngest };
  const askOfServer = () => ask({ ...world.services, config });
  const without = await askOfServer();
  expect(without.degradable).toMatchObject({ inngest: false, jobs: true });
  expect(isReady(without)).toBe(true);
  await recordServerRan(world.services);
  expect((await askOfServer()).degradable).toMatchObject({ inngest: true });
  await world.database.sql`
    update installation set updated_at = now() - interval '26 seconds' where name = 'inngest_ran'`;
  expect((await askOfServer()).degradable).toMatchObject({ inngest: false });
});

test("asking often asks the parts once", async () => {
  const take = vi.spyOn(world.services.limits, "take");
  const readiness = createReadiness(world.services);
  await Promise.all(Array.from({ length: 50 }, readiness));
  await readiness();
  expect(take).toHaveBeenCalledTimes(1);
  take.mockRestore();
});
