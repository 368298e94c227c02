import { randomUUID } from "node:crypto";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createPool } from "@/db/client";
import { newId } from "@/db/schema";
import { eventually } from "@/e2e/support/eventually";
import { createKey } from "@/server/domain/keys/create";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { createMetrics } from "@/server/adapters/metrics/metrics";
import { KEPT_PER_MINUTE_MAX } from "./days";
import { createRequestRecorder } from "./recorder";
import type { RefusedRequest, SucceededRequest } from "./recorded-request";
import { storedCounts, storedRequestCounts, storedRequests } from "./testing";

let world: SendWorld;
let key: { id: string };

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(async () => {
  await world.sql`truncate api_requests, refusal_hours, request_hours`;
  key = await createKey({ ctx: world.ctx, input: { name: "Shop" } });
});

const rows = () => storedRequests(world.sql);
const hours = () => storedCounts(world.sql);

const silent = pino({ level: "silent" });

async function ownCaller() {
  const [secret] = await world.sql<{ id: string }[]>`
    select id from api_key_secrets where key_id = ${key.id}`;
  const { organizationId } = world.ctx.actor;
  return { kind: "key", organizationId, keyId: key.id, secretId: secret?.id ?? newId() } as const;
}

const refused = (
  caller: RefusedRequest["caller"],
  changes: Partial<RefusedRequest> = {},
): RefusedRequest => ({
  requestId: newId(),
  caller,
  method: "POST",
  route: "/api/public/v1/messages",
  status: 422,
  code: "outside_customer_window",
  field: undefined,
  body: undefined,
  durationMs: 1.2,
  ...changes,
});

const succeeded = (
  caller: SucceededRequest["caller"],
  changes: Partial<SucceededRequest> = {},
): SucceededRequest => ({
  caller,
  method: "POST",
  route: "/api/public/v1/messages",
  status: 201,
  ...changes,
});

describe("a success", () => {
  test("is counted by key, route, status and hour, and those of several processes add up", async () => {
    const caller = await ownCaller();
    let nowMs = Date.UTC(2026, 0, 2, 3, 59);
    for (let process = 0; process < 2; process += 1) {
      const recorder = createRequestRecorder({ ...world.services, now: () => nowMs });
      recorder.succeeded(succeeded(caller));
      recorder.succeeded(succeeded(caller));
      recorder.succeeded(succeeded(caller, { status: 200 }));
      recorder.refused(refused(caller));
      await recorder.stop();
      nowMs += 120_000;
    }
    const stored = await world.sql`
      select extract(hour from hour at time zone 'UTC')::int as hour, status, count from request_hours order by 1, 2`;
    const counts = [
      { status: 200, count: 1 },
      { status: 201, count: 2 },
      { status: 422, count: 1 },
    ];
    expect([...stored]).toEqual([3, 4].flatMap((hour) => counts.map((count) => ({ hour, ...count }))));
    const recorder = createRequestRecorder({ ...world.services, now: () => nowMs });
    recorder.succeeded(succeeded(caller));
    await recorder.stop();
    expect(await storedRequestCounts(world.sql)).toMatchObject([{}, { status: 201, count: 5 }, {}]);
    expect(await rows()).toHaveLength(2);
  });

  test("causes no statement: all are written together, and a refusal takes those before it along", async () => {
    const caller = await ownCaller();
    const write = vi.fn<() => void>();
    const sql = new Proxy(world.services.sql, {
      apply: (target, self, args) => {
        write();
        return Reflect.apply(target, self, args);
      },
    });
    const recorder = createRequestRecorder({
      ...world.services,
      sql,
      lingerMs: 5,
      successLingerMs: 3_600_000,
    });
    for (let i = 0; i < 1_000; i += 1) recorder.succeeded(succeeded(caller));
    recorder.refused(refused(caller));
    await eventually(async () => expect(await rows()).toHaveLength(1));
    expect(await storedRequestCounts(world.sql)).toMatchObject([{ count: 1_000 }, { status: 422, count: 1 }]);
    for (let i = 0; i < 1_000; i += 1) recorder.succeeded(succeeded(caller));
    await recorder.stop();
    expect(await storedRequestCounts(world.sql)).toMatchObject([{ count: 2_000 }, {}]);
    expect(write).toHaveBeenCalledTimes(1);
  });

  test("is written by itself after a while", async () => {
    const recorder = createRequestRecorder({ ...world.services, successLingerMs: 5 });
    recorder.succeeded(succeeded(await ownCaller()));
    await eventually(async () =>
      expect(await storedRequestCounts(world.sql)).toMatchObject([{ status: 201, count: 1 }]),
    );
    await recorder.stop();
  });
});

describe("the cap of a key and minute", () => {
  test("leaves rows out, and counts them", async () => {
    const caller = await ownCaller();
    const start = Date.UTC(2026, 0, 2, 3, 4);
    let nowMs = start;
    const recorder = createRequestRecorder({ ...world.services, lingerMs: 3_600_000, now: () => nowMs });
    for (let i = 0; i < 100; i += 1) recorder.refused(refused(caller));
    for (let i = 0; i < 5; i += 1) recorder.refused(refused(caller, { code: "rate_limited", status: 429 }));
    nowMs += 60_000;
    for (let i = 0; i < 3; i += 1) recorder.refused(refused(caller));
    await recorder.stop();
    expect(await rows()).toHaveLength(KEPT_PER_MINUTE_MAX + 3);
    expect(await hours()).toEqual([
      { keyId: key.id, code: "outside_customer_window", refused: 103, kept: KEPT_PER_MINUTE_MAX + 3 },
      { keyId: key.id, code: "rate_limited", refused: 5, kept: 0 },
    ]);
  });

  test("is one for all processes, and for all secrets of the key", async () => {
    const caller = await ownCaller();
    const [row] = await world.sql<{ hash: Buffer }[]>`
      select hash from api_key_secrets where key_id = ${key.id}`;
    const bySecret = { kind: "secret", hash: row?.hash ?? Buffer.alloc(0) } as const;
    for (let process = 0; process < 3; process += 1) {
      const recorder = createRequestRecorder({ ...world.services, now: () => Date.UTC(2026, 0, 2) });
      for (let i = 0; i < 25; i += 1) {
        recorder.refused(refused(caller));
        recorder.refused(refused(bySecret));
      }
      await recorder.stop();
    }
    expect(await rows()).toHaveLength(KEPT_PER_MINUTE_MAX);
    expect(await hours()).toMatchObject([{ refused: 150, kept: KEPT_PER_MINUTE_MAX }]);
  });
});

describe("while the database is away", () => {
  /** A pool that is unavailable until it is switched back. */
  function awayPool() {
    const dead = createPool(
      { url: world.databaseUrl.replace(/:\d+\//, ":1/") },
      { name: "dead", connectionsMax: 1 },
    );
    let pool = dead;
    const tries = vi.fn<() => void>();
    const sql = new Proxy(world.services.sql, {
      apply: (_, self, args) => Reflect.apply(pool, self, args),
      get: (_, name) => {
        if (name === "begin") tries();
        return Reflect.get(pool, name);
      },
    });
    return { sql, tries, back: () => (pool = world.services.sql), close: () => dead.end({ timeout: 0 }) };
  }

  test("what was refused is kept in memory, told of once, and written when it is back", async () => {
    const away = awayPool();
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const metrics = createMetrics();
    const { sql, tries } = away;
    const recorder = createRequestRecorder({ ...world.services, sql, log, metrics, lingerMs: 5 });
    const caller = await ownCaller();
    recorder.refused(refused(caller));
    await eventually(() => expect(tries.mock.calls.length).toBeGreaterThan(2));
    recorder.refused(refused(caller));
    expect(await rows()).toEqual([]);
    away.back();
    await eventually(async () => expect(await rows()).toHaveLength(2));
    expect(lines).toHaveLength(1);
    expect(await metrics.text()).toContain("waypost_unrecorded_requests_total 0");
    await recorder.stop();
    await away.close();
  });

  test("memory is bounded, the stop doesn't throw, and what is lost is counted", async () => {
    const away = awayPool();
    const metrics = createMetrics();
    const recorder = createRequestRecorder({
      ...world.services,
      sql: away.sql,
      log: silent,
      metrics,
      lingerMs: 3_600_000,
    });
    const callers = 6_000;
    for (let i = 0; i < callers; i += 1) {
      const { organizationId } = world.ctx.actor;
      const caller = { kind: "key", organizationId, keyId: randomUUID(), secretId: randomUUID() } as const;
      recorder.refused(refused(caller));
    }
    expect(await metrics.text()).toContain("waypost_unrecorded_requests_total 1000\n");
    await recorder.stop();
    expect(await metrics.text()).toContain(`waypost_unrecorded_requests_total ${callers}\n`);
    await away.close();
  });
});

test("made-up secrets don't crowd out a key, and what the database refuses doesn't hold up what comes after", async () => {
  const caller = await ownCaller();
  const metrics = createMetrics();
  const recorder = createRequestRecorder({ ...world.services, metrics, lingerMs: 5 });
  for (let i = 0; i < 6_000; i += 1) {
    recorder.refused(refused({ kind: "secret", hash: Buffer.from(randomUUID().replaceAll("-", "")) }));
  }
  const few = Array.from({ length: 100 }, () => Buffer.from(randomUUID().replaceAll("-", "")));
  for (let i = 0; i < 6_000; i += 1) {
    const hash = few[i % few.length] ?? Buffer.alloc(0);
    recorder.refused(refused({ kind: "secret", hash }, { route: `/${Math.floor(i / few.length)}` }));
  }
  recorder.refused(refused(caller));
  recorder.succeeded(succeeded(caller));
  await eventually(async () => expect(await rows()).toHaveLength(1));
  expect(await storedRequestCounts(world.sql)).toMatchObject([
    { status: 201, count: 1 },
    { status: 422, count: 1 },
  ]);
  const { organizationId } = world.ctx.actor;
  recorder.refused(refused({ kind: "key", organizationId, keyId: newId(), secretId: newId() }));
  await eventually(async () =>
    expect(await metrics.text()).toContain("waypost_unrecorded_requests_total 1\n"),
  );
  recorder.refused(refused(caller));
  await recorder.stop();
  expect(await rows()).toHaveLength(2);
});
