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
import { createRefusalRecorder } from "./recorder";
import type { RefusedRequest } from "./refused-request";
import { storedCounts, storedRequests } from "./testing";

let world: SendWorld;
let key: { id: string };

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(async () => {
  await world.sql`truncate api_requests, refusal_hours`;
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

describe("the cap of a key and minute", () => {
  test("leaves rows out, and counts them", async () => {
    const caller = await ownCaller();
    const start = Date.UTC(2026, 0, 2, 3, 4);
    let nowMs = start;
    const recorder = createRefusalRecorder({ ...world.services, lingerMs: 3_600_000, now: () => nowMs });
    for (let i = 0; i < 100; i += 1) recorder.note(refused(caller));
    for (let i = 0; i < 5; i += 1) recorder.note(refused(caller, { code: "rate_limited", status: 429 }));
    nowMs += 60_000;
    for (let i = 0; i < 3; i += 1) recorder.note(refused(caller));
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
      const recorder = createRefusalRecorder({ ...world.services, now: () => Date.UTC(2026, 0, 2) });
      for (let i = 0; i < 25; i += 1) {
        recorder.note(refused(caller));
        recorder.note(refused(bySecret));
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
    const recorder = createRefusalRecorder({ ...world.services, sql, log, metrics, lingerMs: 5 });
    const caller = await ownCaller();
    recorder.note(refused(caller));
    await eventually(() => expect(tries.mock.calls.length).toBeGreaterThan(2));
    recorder.note(refused(caller));
    expect(await rows()).toEqual([]);
    away.back();
    await eventually(async () => expect(await rows()).toHaveLength(2));
    expect(lines).toHaveLength(1);
    expect(await metrics.text()).toContain("waypost_refusals_dropped_total 0");
    await recorder.stop();
    await away.close();
  });

  test("memory is bounded, the stop doesn't throw, and what is lost is counted", async () => {
    const away = awayPool();
    const metrics = createMetrics();
    const recorder = createRefusalRecorder({
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
      recorder.note(refused(caller));
    }
    expect(await metrics.text()).toContain("waypost_refusals_dropped_total 1000\n");
    await recorder.stop();
    expect(await metrics.text()).toContain(`waypost_refusals_dropped_total ${callers}\n`);
    await away.close();
  });
});

test("made-up secrets don't crowd out a key, and what the database refuses doesn't hold up what comes after", async () => {
  const caller = await ownCaller();
  const metrics = createMetrics();
  const recorder = createRefusalRecorder({ ...world.services, metrics, lingerMs: 5 });
  for (let i = 0; i < 6_000; i += 1) {
    recorder.note(refused({ kind: "secret", hash: Buffer.from(randomUUID().replaceAll("-", "")) }));
  }
  recorder.note(refused(caller));
  await eventually(async () => expect(await rows()).toHaveLength(1));
  const { organizationId } = world.ctx.actor;
  recorder.note(refused({ kind: "key", organizationId, keyId: newId(), secretId: newId() }));
  await eventually(async () => expect(await metrics.text()).toContain("waypost_refusals_dropped_total 1\n"));
  recorder.note(refused(caller));
  await recorder.stop();
  expect(await rows()).toHaveLength(2);
});
