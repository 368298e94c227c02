import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrm, createPool } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { limitMs } from "@/e2e/support/machine-speed";
import { until } from "@/e2e/support/until";
import { probeDatabase } from "./database-probe";
import { createMetrics } from "@/server/adapters/metrics/metrics";

/** Longer than a free connection takes on this machine. */
const TOO_SLOW_MS = limitMs(300);

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

test("what a pool's users wait for a connection is measured, also when it is all that they wait for", async () => {
  const sql = createPool(database.connection, { name: "test", connectionsMax: 1 });
  const orm = createOrm(database.connection, { name: "test-orm", connectionsMax: 1 });
  const metrics = createMetrics();
  const taken = sql`select pg_sleep(0.4)`.execute();
  const probe = probeDatabase({ sql, orm, metrics }, { everyMs: 10 });
  const has = async (line: RegExp) => line.test(await metrics.text());
  await taken;
  await until("both were measured", async () => {
    const requests = await has(/^waypost_database_probe_seconds_count\{pool="requests"\} [2-9]/m);
    return requests && (await has(/^waypost_database_probe_seconds_count\{pool="other"\} [2-9]/m));
  });
  const text = await metrics.text();
  const within = Number(/seconds_bucket\{le="0.25",pool="requests"\} (\d+)/.exec(text)?.[1]);
  const all = Number(/seconds_count\{pool="requests"\} (\d+)/.exec(text)?.[1]);
  expect(within).toBeLessThan(all);
  await probe.stop();
  await Promise.all([sql.end(), orm.$client.end()]);
});

test("a standstill is as many slow tries as it is long, and those that waited too long are failures as well", async () => {
  const pool = () => createPool(database.connection, { name: "test", connectionsMax: 1 });
  const sql = pool();
  const orm = createOrm(database.connection, { name: "test-orm", connectionsMax: 1 });
  const metrics = createMetrics();
  const taken = sql`select pg_sleep(${(2 * TOO_SLOW_MS) / 1000})`.execute();
  const probe = probeDatabase({ sql, orm, metrics }, { everyMs: 10, tooSlowMs: TOO_SLOW_MS });
  const numberOf = async (line: RegExp) => Number(line.exec(await metrics.text())?.[1]);
  await until("tries are given up while it lasts", async () => {
    return (await numberOf(/failures_total\{pool="requests"\} (\d+)/)) > 5;
  });
  await taken;
  const slower = async () => {
    const all = await numberOf(/seconds_count\{pool="requests"\} (\d+)/);
    return all - (await numberOf(/seconds_bucket\{le="0.1",pool="requests"\} (\d+)/));
  };
  await until("the others are told at its end", async () => (await slower()) > 20);
  expect(await numberOf(/failures_total\{pool="other"\} (\d+)/)).toBe(0);
  await probe.stop();
  await Promise.all([sql.end(), orm.$client.end()]);
});

test("a database that can't be reached is counted as failures", async () => {
  const address = { url: "postgres://nobody@127.0.0.1:1/none" };
  const sql = createPool(address, { name: "test", connectionsMax: 1 });
  const orm = createOrm(address, { name: "test-orm", connectionsMax: 1 });
  const metrics = createMetrics();
  const probe = probeDatabase({ sql, orm, metrics }, { everyMs: 10 });
  for (const pool of ["requests", "other"]) {
    const failed = new RegExp(`^waypost_database_probe_failures_total\\{pool="${pool}"\\} [1-9]`, "m");
    await until(`${pool} has failed`, async () => failed.test(await metrics.text()));
  }
  await probe.stop();
  await Promise.all([sql.end({ timeout: 0 }), orm.$client.end({ timeout: 0 })]);
});
