import postgres from "postgres";
import { afterEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing";

const open: TestDatabase[] = [];
const create = async () => {
  const database = await createTestDatabase();
  open.push(database);
  return database;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.drop()));
});

const tablesOf = (sql: postgres.Sql) =>
  sql<{ name: string }[]>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;

describe("createTestDatabase", () => {
  it("gives a database with the migrated schema and no rows", async () => {
    const { sql } = await create();
    expect((await tablesOf(sql)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["messages", "organizations"]),
    );
    expect(await sql`SELECT 1 FROM organizations`).toHaveLength(0);
  });

  it("keeps databases apart, also when they are made at once", async () => {
    const [one, other] = await Promise.all([create(), create()]);
    await one.sql`CREATE TABLE only_here (id int)`;
    expect((await tablesOf(other.sql)).map(({ name }) => name)).not.toContain("only_here");
  });

  it("gives a url that reaches the same database", async () => {
    const { url, connection } = await create();
    const sql = postgres(url, { max: 1 });
    const [row] = await sql<{ name: string }[]>`SELECT current_database() AS name`;
    await sql.end();
    expect(row?.name).toBe(connection.database);
  });

  it("drops a database that others are still connected to", async () => {
    const database = await createTestDatabase();
    const other = postgres(database.url, { max: 1, onclose: () => undefined });
    await other`SELECT 1`;
    await database.drop();
    await expect(other`SELECT 1`).rejects.toThrow(/does not exist/);
    await other.end({ timeout: 0 });
  });
});
