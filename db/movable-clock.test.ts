import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Sql } from "@/db/client";
import { makeClockMovable, moveClock, readClockAheadMs, resetRestoredClock } from "@/db/movable-clock";
import { createTestDatabase, type TestDatabase } from "@/db/testing";

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let other: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ isClockMovable: true });
  other = createPool(database.connection, { name: "other", connectionsMax: 1 });
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

/** To tenths. Adding 0 makes 0 of -0, which isn't equal to it in tests. */
const rounded = (hours: number) => Math.round(hours * 10) / 10 + 0;

/** By how many hours each kind of time that the program uses is ahead of the machine's clock. */
async function hoursAhead(sql: Sql) {
  const [row] = await sql<{ now: number; clock: number; limits: number }[]>`
    select extract(epoch from now() - pg_catalog.now())::float8 / 3600 as now,
      extract(epoch from clock_timestamp() - pg_catalog.clock_timestamp())::float8 / 3600 as clock,
      (select now_ms from take_rate_units(gen_random_uuid(), 'read', 1, 1))::float8 / 3600000
        - extract(epoch from pg_catalog.clock_timestamp())::float8 / 3600 as limits`;
  return Object.fromEntries(Object.entries(row ?? {}).map(([kind, hours]) => [kind, rounded(hours)]));
}

/** As the program does: a prepared statement whose plan is kept. */
async function defaultHoursAhead(sql: Sql): Promise<number> {
  const [row] = await sql<{ hours: number }[]>`
    with added as (
      insert into installation (name, value) values (gen_random_uuid()::text, '') returning updated_at)
    select extract(epoch from updated_at - pg_catalog.now())::float8 / 3600 as hours from added`;
  return rounded(row?.hours ?? NaN);
}

test("a moved clock moves for all sessions, also for statements that are prepared and for defaults of columns", async () => {
  for (const aheadMs of [0, 12 * HOUR_MS, 36 * HOUR_MS, 0]) {
    await moveClock(database.sql, aheadMs);
    const hours = aheadMs / HOUR_MS;
    for (const sql of [database.sql, other]) {
      // PostgreSQL keeps a plan from the sixth execution on.
      for (let time = 0; time < 7; time++) expect(await defaultHoursAhead(sql)).toBe(hours);
      expect(await hoursAhead(sql)).toEqual({ now: hours, clock: hours, limits: expect.closeTo(0, 1) });
      expect(Math.round(await readClockAheadMs(sql))).toBe(aheadMs);
    }
  }
});

test("making the clock movable again leaves it where it is, and moves defaults of new columns", async () => {
  await moveClock(database.sql, HOUR_MS);
  await database.sql`create table added (at timestamptz not null default now(), id int)`;
  await makeClockMovable(database.connection);
  const [row] = await database.sql<{ hours: number }[]>`
    insert into added (id) values (1) returning extract(epoch from at - pg_catalog.now())::float8 / 3600 as hours`;
  expect(row?.hours).toBeCloseTo(1, 3);
  expect(await readClockAheadMs(database.sql)).toBe(HOUR_MS);
  await moveClock(database.sql, 0);
});

test("a restored demo gets the machine's time, and any other database is left alone", async () => {
  await moveClock(database.sql, HOUR_MS);
  await resetRestoredClock(database.connection);
  expect(await readClockAheadMs(database.sql)).toBe(0);
  const plain = await createTestDatabase();
  try {
    await expect(resetRestoredClock(plain.connection)).resolves.toBeUndefined();
  } finally {
    await plain.drop();
  }
});

test("a database whose clock can't be moved has the machine's time", async () => {
  const plain = await createTestDatabase();
  try {
    expect(await readClockAheadMs(plain.sql)).toBe(0);
    await expect(moveClock(plain.sql, HOUR_MS)).rejects.toThrow("moved");
  } finally {
    await plain.drop();
  }
});
