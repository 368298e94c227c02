import { afterAll, beforeAll, expect, test } from "vitest";
import { addressOfUrl } from "@/db/address-of-url";
import { createPool } from "@/db/client";
import { untilHandedUpstream } from "@/e2e/crash/fate";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { type Farm, openFarm } from "@/e2e/support/farm";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { startLoad } from "./load";

/** The minimum for a start, so that all share every connection. */
const POOL_SIZE = 2;
const CUSTOMERS = 20;
const MESSAGES = 200;
/** If two statements are pipelined on one connection outside of a transaction, PgBouncer loses a response within ten rounds. */
const AT_ONCE_ROUNDS = 500;

let farm: Farm;
let customers: Customers;

beforeAll(async () => {
  farm = await openFarm({ roles: ["api", "jobs"], poolSize: POOL_SIZE });
  customers = await makeCustomers(farm.process(0), CUSTOMERS);
});
afterAll(() => farm?.close());

function pgbouncer() {
  if (farm.pgbouncer === null) throw new Error("The farm has no PgBouncer");
  return farm.pgbouncer;
}

test("a PgBouncer before the database is found by asking, and PostgreSQL itself isn't taken for one", async () => {
  expect(await addressOfUrl(pgbouncer().url)).toEqual({ url: pgbouncer().url, isPrepared: false });
  expect(await addressOfUrl(farm.postgres.url)).toEqual({ url: farm.postgres.url, isPrepared: true });
});

test("statements that want one connection at the same moment are each answered", async () => {
  const pool = createPool(await addressOfUrl(pgbouncer().url), { name: "test", connectionsMax: 1 });
  try {
    for (let round = 0; round < AT_ONCE_ROUNDS; round += 1)
      expect(await Promise.all([pool`select 1 as x`, pool`select ${round}::int as x`])).toEqual([
        [{ x: 1 }],
        [{ x: round }],
      ]);
  } finally {
    await pool.end({ timeout: 1 });
  }
  expect(pgbouncer().output()).not.toContain("not linked");
});

test("messages are accepted, handed upstream once and read by the customer over a few connections that all share", async () => {
  const load = startLoad(farm.process(0).baseUrl, customers);
  await until("messages are accepted", () => load.accepted.length >= MESSAGES);
  await load.stop();
  expect(Object.fromEntries(load.answers)).toEqual({ 201: load.accepted.length });
  await untilHandedUpstream(farm.sql);
  const ids = new Set(load.accepted);
  const { messages } = await readLedger(farm.simulator.url);
  const found = messages.flatMap(({ biz_opaque_callback_data: id }) => (id && ids.has(id) ? [id] : []));
  expect(found.toSorted()).toEqual(load.accepted.toSorted());
  const areRead = async () => {
    const [row] = await farm.sql<{ count: number }[]>`
      select count(*)::int as count from messages where id = any(${load.accepted}::uuid[]) and state <> 'read'`;
    return row?.count === 0;
  };
  await until("every message is read", areRead, { intervalMs: 100 });
});

test("nothing of a session was left on a connection, and no error came of what one remembered", async () => {
  const rows = await farm.sql`
    select application_name from pg_stat_activity where application_name like 'waypost-%' and query ilike 'listen%'`;
  expect(rows).toEqual([]);
  for (const place of [0, 1]) {
    expect(farm.process(place).output()).not.toMatch(/prepared statement|"level":"(error|fatal)"/);
  }
});
