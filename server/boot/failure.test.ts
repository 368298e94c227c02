import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOfUrl } from "@/db/address-of-url";
import { createPool, migrateDatabase, type Sql } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { failureText } from "./failure";

const PASSWORD = "the-password";
const role = `role_${randomBytes(6).toString("hex")}`;
const empty = `empty_${randomBytes(6).toString("hex")}`;
const owned = `owned_${randomBytes(6).toString("hex")}`;
let database: TestDatabase;
/** URL with a role that may only connect to a database without a schema. */
let url: URL;

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await sql.unsafe(`create role ${role} login password '${PASSWORD}'`);
  await sql.unsafe(`create database ${empty}`);
  url = new URL(database.url);
  url.username = role;
  url.password = PASSWORD;
  url.pathname = `/${empty}`;
});
afterAll(async () => {
  for (const name of [empty, owned])
    await database.sql.unsafe(`drop database if exists ${name} with (force)`);
  await database.sql.unsafe(`drop role ${role}`);
  await database.drop();
});

const NAMED = { NODE_ENV: "test", DATABASE_URL: "postgres://x" } as const;

/** The error that a start with the address prints. */
async function startErrorOf(address: string): Promise<string> {
  try {
    await migrateDatabase(await addressOfUrl(address), process.cwd());
  } catch (error) {
    return failureText(error, NAMED);
  }
  throw new Error("The database was brought up to date");
}

function changed(change: (address: URL) => void): string {
  const address = new URL(url);
  change(address);
  return address.href;
}

/** In this order: each granted right leads to the next missing one. */
test("a role without the rights is told by the variable, PostgreSQL's reason, and the rights", async () => {
  const rights = /GRANT CREATE ON DATABASE and GRANT CREATE ON SCHEMA public\.$/;
  const onDatabase = await startErrorOf(url.href);
  expect(onDatabase).toMatch(`DATABASE_URL can't be used: permission denied for database ${empty}. `);
  expect(onDatabase).toMatch(rights);
  await database.sql.unsafe(`grant create on database ${empty} to ${role}`);
  const onSchema = await startErrorOf(url.href);
  expect(onSchema).toMatch("DATABASE_URL can't be used: permission denied for schema public. ");
  expect(onSchema).toMatch(rights);
  await inEmptyDatabase((sql) => sql.unsafe(`grant create on schema public to ${role}`));
  await expect(migrateDatabase({ url: url.href }, process.cwd())).resolves.toBeUndefined();
});

test("owning the database is right enough for a role", async () => {
  await database.sql.unsafe(`create database ${owned} owner ${role}`);
  const address = changed((one) => (one.pathname = `/${owned}`));
  await expect(migrateDatabase({ url: address }, process.cwd())).resolves.toBeUndefined();
});

async function inEmptyDatabase(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const administering = { name: "test-admin", connectionsMax: 1 };
  const sql = createPool({ ...database.connection, database: empty }, administering);
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

describe("DATABASE_URL", () => {
  test.each<[string, (address: URL) => void, RegExp]>([
    [
      "a wrong password",
      (one) => (one.password = "hunter2"),
      /password authentication failed.*See that user/,
    ],
    ["an unknown user", (one) => (one.username = "nobody"), /password authentication failed.*See that user/],
    [
      "no such database",
      (one) => (one.pathname = "/nowhere"),
      /database "nowhere" does not exist\. Make that database/,
    ],
    [
      "a port where nobody listens",
      (one) => (one.port = "1"),
      /ECONNREFUSED 127\.0\.0\.1:1\. See that its host/,
    ],
    ["a host that isn't there", (one) => (one.hostname = "db.invalid"), /db\.invalid\. See that its host/],
    [
      "a host of several addresses",
      (one) => Object.assign(one, { hostname: "localhost", port: "1" }),
      /ECONNREFUSED [^ ]*:1.* See that its host/,
    ],
  ])("with %s: one line with the variable, the reason and what to do", async (_, change, words) => {
    const text = await startErrorOf(changed(change));
    expect(text).toMatch(/^DATABASE_URL can't be used: .+\.$/);
    expect(text).toMatch(words);
    expect(text).not.toMatch(/\n|the-password|hunter2/);
  });

  test("that can't be read is explained without what it holds", async () => {
    const text = await startErrorOf(`postgres://me:half/${PASSWORD}@127.0.0.1/x`);
    expect(text).toMatch(/^DATABASE_URL can't be used: Invalid URL\. .*%2F\.$/);
  });
});

test("what is nobody's to mend is told with its stack and what caused it", () => {
  const error = new Error("outer", { cause: new RangeError("inner") });
  const text = failureText(error, NAMED);
  expect(text).toMatch(/^Error: outer\n +at /);
  expect(text).toMatch(/\nCaused by: inner$/);
});

test("where the database is the embedded one, no variable is named for it", () => {
  const error = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const text = failureText(error, { NODE_ENV: "test" });
  expect(text).toBe("The database can't be reached: connect ECONNREFUSED");
});
