import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countMigrations, DatabaseTooNew, DatabaseTooOld, migrateDatabase } from "./client";
import { describeSchema } from "./describe-schema.fixture";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "./testing";

/**
 * A dump of the oldest database that can be upgraded, with rows in most tables. Version 0.1.0 created it before its 35
 * migrations were merged into one: the demo had sent three messages through the simulator.
 */
const dump = await readFile(new URL("upgrade.fixture.sql", import.meta.url), "utf8");

let old: TestDatabase;
beforeEach(async () => {
  old = await createEmptyDatabase();
  await old.sql.unsafe(dump);
});
afterEach(() => old.drop());

const upgrade = () => migrateDatabase(old.connection, process.cwd());

async function countRows(): Promise<Record<string, number>> {
  const tables = await old.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await old.sql<{ count: number }[]>`select count(*)::int as count from ${old.sql(name)}`;
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

test("an old database gets the schema of a new one, and keeps its rows", async () => {
  const before = await countRows();
  expect(before).toMatchObject({ messages: 7, message_events: 18, webhook_deliveries: 24, audit_log: 16 });
  await upgrade();
  expect(await countRows()).toEqual({ ...before, customer_files: 0, read_marks: 0, request_hours: 1 });
  const fresh = await createTestDatabase();
  try {
    expect(await describeSchema(old.sql)).toEqual(await describeSchema(fresh.sql));
  } finally {
    await fresh.drop();
  }
  expect(await countMigrations(old.sql, process.cwd())).toMatchObject({ newer: 0, isTooOld: false });
});

test("files that customers sent within the last week are to be fetched", async () => {
  const received = (age: string) => old.sql`
    update messages set created_at = now() - ${age}::interval, content = '{"type":"image","media":{"id":"media-1"}}'
    where id = (select id from messages where kind = 'inbound' and content ->> 'media' is null order by id limit 1)
    returning id`;
  const [recent] = await received("1 hour");
  await received("8 days");
  await upgrade();
  expect(
    await old.sql`
      select message_id as id, media_id, state, expires_at - now() > interval '6 days' as "isKept" from customer_files`,
  ).toEqual([{ id: recent?.id, media_id: "media-1", state: "pending", isKept: true }]);
});

test("refused requests that are still listed are counted", async () => {
  await upgrade();
  expect(await old.sql`select hour, method, route, status, count from request_hours`).toEqual([
    {
      hour: new Date("2026-11-25T02:00:00Z"),
      method: "POST",
      route: "/api/public/v1/messages",
      status: 422,
      count: 1,
    },
  ]);
});

test("a database with a migration that this program doesn't know is refused and left alone", async () => {
  const before = await describeSchema(old.sql);
  await old.sql`delete from drizzle.__drizzle_migrations where id = 35`;
  await expect(upgrade()).rejects.toThrow(DatabaseTooOld);
  await old.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', 9999999999999)`;
  await expect(upgrade()).rejects.toThrow(DatabaseTooNew);
  expect(await describeSchema(old.sql)).toEqual(before);
});
