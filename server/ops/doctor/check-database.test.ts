import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool, migrateDatabase } from "@/db/client";
import { TEST_SECRET } from "@/server/domain/organizations/testing";
import { checkDatabase } from "./check-database";
import { checkClock } from "./check-clock";
import { checkSecretValue } from "./check-secret";
import { about, type DoctorWorld, openDoctorWorld } from "./testing";

let world: DoctorWorld;
beforeAll(async () => void (world = await openDoctorWorld(TEST_SECRET)));
afterAll(() => world.close());

const journal = () => world.database.sql<{ id: number; hash: string; created_at: number }[]>`
  select id, hash, created_at from drizzle.__drizzle_migrations order by created_at`;

describe("the database", () => {
  test("is told with its version, how it was reached, and its migrations", async () => {
    const findings = await checkDatabase(world.installation);
    const { length } = await journal();
    expect(findings).toEqual([
      {
        what: "connection",
        state: "ok",
        seen: expect.stringMatching(/^PostgreSQL 1\d[.\d]* *.*, that of DATABASE_URL$/),
        remedy: null,
      },
      { what: "migrations", state: "ok", seen: `${length} of ${length} are applied`, remedy: null },
    ]);
  });

  test("fails with migrations that aren't applied, or are newer than the program", async () => {
    const rows = await journal();
    const last = rows.at(-1);
    await world.database.sql`delete from drizzle.__drizzle_migrations where id = ${last?.id ?? 0}`;
    const behind = about(await checkDatabase(world.installation), "migrations");
    expect(behind).toMatchObject({
      state: "fail",
      seen: `${rows.length - 1} of ${rows.length} are applied`,
      remedy: expect.stringContaining("Start this version"),
    });
    await world.database.sql`
      insert into drizzle.__drizzle_migrations (hash, created_at)
      values (${last?.hash ?? ""}, ${last?.created_at ?? 0}), ('of the future', ${(last?.created_at ?? 0) + 1})`;
    const ahead = about(await checkDatabase(world.installation), "migrations");
    expect(ahead).toMatchObject({ state: "fail", remedy: "Use that version of Waypost." });
    await expect(migrateDatabase(world.database.connection, process.cwd())).rejects.toThrow("newer version");
    await world.database.sql`delete from drizzle.__drizzle_migrations where hash = 'of the future'`;
    expect(about(await checkDatabase(world.installation), "migrations").state).toBe("ok");
  });

  test("that takes no writes fails", async () => {
    const { sql } = world.database;
    const [row] = await sql<{ name: string }[]>`select current_database() as name`;
    const pool = createPool(world.database.connection, { name: "read-only", connectionsMax: 1 });
    await sql`alter database ${sql(row?.name ?? "")} set default_transaction_read_only = on`;
    try {
      const installation = { ...world.installation, database: { ...world.installation.database, sql: pool } };
      expect(await checkDatabase(installation)).toMatchObject([{ what: "connection", state: "fail" }]);
    } finally {
      await sql.begin(
        "read write",
        (tx) => tx`
        alter database ${tx(row?.name ?? "")} reset default_transaction_read_only`,
      );
      await pool.end({ timeout: 1 });
    }
  });

  test("that doesn't answer fails, without a password or an address in what is said", async () => {
    const url = "postgres://me:the-password@127.0.0.1:1/secret-name";
    const sql = createPool({ url }, { name: "nowhere", connectionsMax: 1 });
    const [finding] = await checkDatabase({
      ...world.installation,
      database: { kind: "reached", via: "url", sql },
    });
    expect(finding).toMatchObject({ state: "fail", seen: "the database doesn't respond (ECONNREFUSED)" });
    expect(JSON.stringify(finding)).not.toMatch(/the-password|secret-name|127\.0\.0\.1/);
    await sql.end({ timeout: 0 });
  });
});

describe("the secret", () => {
  const check = async (changes: Partial<DoctorWorld["installation"]> = {}) =>
    about(await checkSecretValue({ ...world.installation, ...changes }), "WAYPOST_SECRET");

  test("is the database's", async () => {
    const finding = await check();
    expect(finding.state).toBe("ok");
    expect(JSON.stringify(finding)).not.toContain(TEST_SECRET);
  });

  test("fails where it is another one, missing or unreadable, and is told to be brought back", async () => {
    const vault = { ...world.services.vault, checkValue: "another" };
    expect(await check({ vault })).toMatchObject({
      state: "fail",
      seen: expect.stringMatching(/doesn't match the database$/),
    });
    expect(await check({ vault: null })).toMatchObject({
      state: "fail",
      seen: expect.stringMatching(/is missing$/),
    });
    const unreadable = await check({ vault: null, secretProblem: "the file holds no secret" });
    expect(unreadable).toMatchObject({ state: "fail", seen: "the file holds no secret" });
  });

  test("is only pointed out while the database is bound to none, and stays unbound", async () => {
    const { sql } = world.database;
    const rows = await sql`delete from installation where name = 'secret_check' returning name, value`;
    expect((await check()).state).toBe("warn");
    expect(await sql`select 1 from installation where name = 'secret_check'`).toHaveLength(0);
    await sql`insert into installation ${sql(rows)}`;
  });
});

describe("the clock", () => {
  const check = (offsetMs: number) => checkClock(world.installation, () => Date.now() + offsetMs);

  test.each([
    ["matches the database's clock", 0, "ok", /matches the/],
    ["is seconds behind", -5_000, "warn", /^this machine's clock is [45]\.\d s behind the database's$/],
    ["is a minute ahead", 60_000, "fail", /^this machine's clock is (59|60)\.\d s ahead of the database's$/],
  ])("%s", async (_, offsetMs, state, seen) => {
    expect(await check(offsetMs)).toMatchObject([{ state, seen: expect.stringMatching(seen) }]);
  });
});
