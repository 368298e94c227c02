import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool, type Sql } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { createPostgresStore } from "./postgres";

let database: TestDatabase;
let sql: Sql;
let otherSql: Sql;

/** Puts a clock before PostgreSQL's own that moves only when a test moves it. */
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(`
    create schema frozen;
    create table frozen.clock (now timestamptz not null);
    insert into frozen.clock values ('2030-01-01T00:00:00.25Z');
    create function frozen.clock_timestamp() returns timestamptz language sql as 'select now from frozen.clock';
    do $$ begin
      execute format('alter database %I set search_path = frozen, pg_catalog, public', current_database());
    end $$`);
  sql = createPool(database.connection, { name: "one", connectionsMax: 2 });
  otherSql = createPool(database.connection, { name: "other", connectionsMax: 2 });
});
afterAll(async () => {
  await Promise.all([sql.end({ timeout: 1 }), otherSql.end({ timeout: 1 })]);
  await database.drop();
});

const LIMIT = 60;

/** Negative: the clock is set back. */
async function pass(seconds: number): Promise<void> {
  await database.sql`update frozen.clock set now = now + make_interval(secs => ${seconds})`;
}

async function nowSeconds(): Promise<number> {
  const [row] = await database.sql<{ now: Date }[]>`select now from frozen.clock`;
  return (row?.now.getTime() ?? 0) / 1000;
}

/** The window of a subject that has taken nothing yet. */
function newWindow() {
  const subject = randomUUID();
  const store = createPostgresStore(sql);
  return {
    subject,
    take: (units = 1, limit = LIMIT) => store.take(subject, "send", limit, units),
    giveBack: (second: number, units: number) => store.giveBack(subject, "send", second, units),
  };
}

describe("a window", () => {
  test("grants the limit and no more to however many at once, over two stores on one database", async () => {
    const { subject } = newWindow();
    const [one, other] = [createPostgresStore(sql), createPostgresStore(otherSql)];
    const grants = await Promise.all(
      Array.from({ length: 61 }, (_, index) => (index % 2 ? one : other).take(subject, "send", LIMIT, 1)),
    );
    expect(grants.filter((grant) => grant.granted === 1)).toHaveLength(60);
    expect(grants.find((grant) => grant.granted === 0)).toMatchObject({ remaining: 0 });
  });

  test("grants as many of several as are free", async () => {
    const { take } = newWindow();
    expect(await take(50)).toMatchObject({ granted: 50, remaining: 10 });
    expect(await take(50)).toMatchObject({ granted: 10, remaining: 0 });
    expect(await take(50)).toMatchObject({ granted: 0, remaining: 0 });
  });

  test("holds what was taken for more than 60 seconds, and not for 61", async () => {
    const { take } = newWindow();
    await take(LIMIT);
    await pass(60);
    expect(await take()).toMatchObject({ granted: 0 });
    await pass(1);
    expect(await take(LIMIT)).toMatchObject({ granted: LIMIT });
  });

  test("slides: each second's units come back by themselves", async () => {
    const { take } = newWindow();
    await take(40);
    await pass(30);
    await take(20);
    await pass(31);
    expect(await take(LIMIT)).toMatchObject({ granted: 40, remaining: 0 });
    await pass(30);
    expect(await take(LIMIT)).toMatchObject({ granted: 20 });
  });

  test("never grants more than the limit in any 60 seconds, whatever the pace", async () => {
    const { take } = newWindow();
    const granted: { at: number; units: number }[] = [];
    let at = 0;
    for (const [gap, units] of [
      [0, 25],
      [13, 30],
      [29, 17],
      [18, 60],
      [1, 60],
      [12, 44],
      [31, 9],
      [17, 60],
      [59, 60],
      [2, 60],
    ] as const) {
      if (gap > 0) await pass(gap);
      at += gap;
      granted.push({ at, units: (await take(units)).granted });
    }
    for (const { at: start } of granted) {
      const within = granted.filter((take) => take.at >= start && take.at < start + 60);
      expect(within.reduce((sum, take) => sum + take.units, 0)).toBeLessThanOrEqual(LIMIT);
    }
    expect(granted.reduce((sum, take) => sum + take.units, 0)).toBeGreaterThan(LIMIT * 2);
  });

  test("of another bucket or subject is another window", async () => {
    const one = newWindow();
    await one.take(LIMIT);
    const store = createPostgresStore(sql);
    expect(await store.take(one.subject, "read", LIMIT, 1)).toMatchObject({ granted: 1 });
    expect(await newWindow().take()).toMatchObject({ granted: 1 });
  });
});

describe("the wait that a refusal names", () => {
  test("is at most 61 seconds, and one request after it succeeds, but not one before", async () => {
    const { take } = newWindow();
    await take(30);
    await pass(20);
    await take(30);
    const { retryAfterSeconds, freesAtSeconds } = await take();
    expect(retryAfterSeconds).toBe(41);
    expect(freesAtSeconds).toBe(Math.floor(await nowSeconds()) + 41);
    await pass(40);
    expect(await take()).toMatchObject({ granted: 0 });
    await pass(1);
    expect(await take()).toMatchObject({ granted: 1 });

    const full = newWindow();
    await full.take(LIMIT);
    expect((await full.take()).retryAfterSeconds).toBe(61);
  });

  test("holds also where the limit was lowered below what was taken", async () => {
    const { take } = newWindow();
    await take(30);
    await pass(10);
    await take(20);
    const { granted, retryAfterSeconds } = await take(1, 10);
    expect(granted).toBe(0);
    // The thirty are gone by then, and twenty are still too many.
    await pass(51);
    expect(await take(1, 10)).toMatchObject({ granted: 0 });
    await pass(retryAfterSeconds - 51);
    expect(await take(1, 10)).toMatchObject({ granted: 1 });
  });
});

describe("units given back", () => {
  test("can be taken again at once", async () => {
    const { take, giveBack } = newWindow();
    const { takenSecond } = await take(LIMIT);
    await giveBack(takenSecond, 2);
    expect(await take(5)).toMatchObject({ granted: 2 });
  });

  test("after they have left the window free nothing that others took", async () => {
    const { take, giveBack } = newWindow();
    const { takenSecond } = await take(10);
    await pass(61);
    await take(LIMIT);
    await giveBack(takenSecond, 10);
    expect(await take()).toMatchObject({ granted: 0 });
  });

  test("twice never free more than was taken in that second", async () => {
    const { take, giveBack } = newWindow();
    await take(59);
    await pass(5);
    const { takenSecond } = await take(1);
    await giveBack(takenSecond, 1);
    await giveBack(takenSecond, 1);
    expect(await take(LIMIT)).toMatchObject({ granted: 1 });
  });
});

describe("a clock that was set back", () => {
  test("by less than a window frees nothing, and the wait it names is true", async () => {
    const { take } = newWindow();
    await take(LIMIT);
    await pass(-30);
    const { granted, retryAfterSeconds } = await take();
    expect(granted).toBe(0);
    await pass(60);
    expect(await take()).toMatchObject({ granted: 0 });
    await pass(retryAfterSeconds - 60);
    expect(await take()).toMatchObject({ granted: 1 });
  });

  test("by more than a window refuses nobody for as long as the clock was wrong", async () => {
    const { take } = newWindow();
    await take(LIMIT);
    await pass(-3600);
    expect(await take(LIMIT)).toMatchObject({ granted: LIMIT });
  });
});
