import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createPool, type Sql, type TransactionSql } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { countHiddenWriters, settledUntil } from "./settled-until";

const PASSWORD = "of a role in a test";

let database: TestDatabase;
let role = 0;

beforeAll(async () => void (database = await createTestDatabase()));
beforeEach(() => void (role += 1));
afterAll(() => database.drop());

/** Returns how far behind the current time it is. */
async function behindSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from clock_timestamp() - ${settledUntil(sql)})::float8 as seconds`;
  return row?.seconds ?? Number.NaN;
}

/** A pool with its own role, with the permissions that the statements grant. */
async function poolOf(name: string, ...grants: readonly string[]): Promise<Sql> {
  const user = `${name}_${database.connection.database}_${role}`;
  await database.sql.unsafe(`create role ${user} login password '${PASSWORD}'`);
  for (const grant of grants) await database.sql.unsafe(`${grant} to ${user}`);
  const sql = createPool({ ...database.connection, user, password: PASSWORD }, { name, connectionsMax: 1 });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await database.sql.unsafe(`drop owned by ${user}; drop role ${user}`);
  });
  return sql;
}

/** Runs during a transaction that started at least that many seconds ago. */
const during = (sql: Sql, seconds: number, work: (tx: TransactionSql) => Promise<void>, statement: string) =>
  sql.begin(async (tx) => {
    await tx.unsafe(statement);
    await expect
      .poll(async () => {
        const [row] = await tx<{ isOld: boolean }[]>`
            select clock_timestamp() - now() > make_interval(secs => ${seconds}) as "isOld"`;
        return row?.isOld;
      })
      .toBe(true);
    await work(tx);
  });

const WRITES = "create table if not exists written (at timestamptz)";
const READS = "select count(*) from webhook_events";

test("a transaction that writes holds it back, one that only reads doesn't", async () => {
  await during(database.sql, 2, async () => expect(await behindSeconds(database.sql)).toBeLessThan(2), READS);
  await during(
    database.sql,
    2,
    async () => expect(await behindSeconds(database.sql)).toBeGreaterThan(2),
    WRITES,
  );
});

test("what is written late in a transaction has the time at which it was", async () => {
  const [organization] = await database.sql<{ id: string }[]>`
    insert into organizations (id, name, fingerprint_key_encrypted) values (gen_random_uuid(), 'Late', '') returning id`;
  const organizationId = organization?.id ?? "";
  await during(
    database.sql,
    2,
    async (tx) => {
      const [before] = await database.sql<{ at: string }[]>`select ${settledUntil(database.sql)}::text as at`;
      const [event] = await tx<{ isLater: boolean }[]>`
        insert into webhook_events (id, organization_id, type, body)
        values (gen_random_uuid(), ${organizationId}, 'webhook.test', '{}')
        returning created_at > ${before?.at ?? ""}::text::timestamptz as "isLater"`;
      expect(event).toEqual({ isLater: true });
    },
    READS,
  );
});

test("one of a role that can't be looked into holds it back where it may write events, and is told of", async () => {
  const reader = await poolOf("reader", "grant select on webhook_events");
  const writer = await poolOf("writer", "grant insert on webhook_events", "grant create on schema public");
  const other = await poolOf("other", "grant create on schema public");
  await during(
    other,
    2,
    async () => expect(await behindSeconds(reader)).toBeLessThan(2),
    "create table other_one ()",
  );
  await during(
    writer,
    0,
    async () => {
      expect(await behindSeconds(reader)).toBeGreaterThan(59);
      expect(await behindSeconds(database.sql)).toBeLessThan(59);
    },
    "create table writer_one ()",
  );
  expect(await behindSeconds(reader)).toBeLessThan(59);
  expect(await countHiddenWriters(database.sql)).toBe(0);
  // Those of the test's own superuser, and the writer's, which still exists.
  expect(await countHiddenWriters(reader)).toBeGreaterThanOrEqual(2);
});
