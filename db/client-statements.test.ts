import { once } from "node:events";
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createPool, type DatabaseAddress, type Sql, type TransactionSql } from "./client";
import { createTestDatabase, type TestDatabase } from "./testing";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function openPool(connectionsMax: number, address: DatabaseAddress = database.connection): Sql {
  const pool = createPool(address, { name: "test-statements", connectionsMax });
  closers.push(() => pool.end({ timeout: 1 }));
  return pool;
}

async function pidOf(sql: Sql | TransactionSql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

/** A proxy to the database that keeps what its clients send, as it arrives. */
async function openRecorder() {
  const received: string[] = [];
  const { socketDirectory, port } = database.connection;
  const recorder = createServer((client) => {
    client.on("data", (chunk) => received.push(chunk.toString("latin1")));
    pipeline(client, connect(`${socketDirectory}/.s.PGSQL.${port}`), client, () => undefined);
  });
  recorder.listen(0, "127.0.0.1");
  await once(recorder, "listening");
  closers.push(() => recorder.close());
  const address = recorder.address();
  if (address === null || typeof address === "string") throw new Error("The proxy listens on no TCP port");
  const url = new URL(database.url);
  url.port = String(address.port);
  return { url: url.href, received };
}

test("a transaction sends statements that don't wait for each other at once", async () => {
  const { url, received } = await openRecorder();
  const pool = openPool(1, { url });
  const texts = ["first", "second", "third"];
  const sendAll = () =>
    pool.begin((tx) => Promise.all(texts.map(async (text) => (await tx`select ${text}::text as text`)[0])));
  await sendAll();
  received.length = 0;
  expect(await sendAll()).toEqual(texts.map((text) => ({ text })));
  expect(received.filter((chunk) => texts.every((text) => chunk.includes(text)))).toHaveLength(1);
});

test("a transaction whose prepared statement has become stale fails with its error, and the next one succeeds", async () => {
  const pool = openPool(1);
  await pool`create table widths (x int)`;
  const readTwice = () =>
    pool.begin((tx) => Promise.all([tx<{ x: unknown }[]>`select * from widths`, tx`select 1 as one`]));
  await readTwice();
  await database.sql`alter table widths alter column x type text`;
  await expect(readTwice()).rejects.toMatchObject({ code: "0A000" });
  expect(await readTwice()).toEqual([[], [{ one: 1 }]]);
  expect(await pool`select 7 as x`).toEqual([{ x: 7 }]);
});

test("a parameter that can't be sent fails its own statement, beside those sent with it", async () => {
  const pool = openPool(1);
  for (let round = 0; round < 2; round++) {
    const outcomes = await pool
      .begin(async (tx) => {
        const both = await Promise.allSettled([
          tx`select 1 as one`,
          tx`select ${new Date(Number.NaN)}::timestamptz as at`,
        ]);
        throw new Error(both.map(({ status }) => status).join());
      })
      .catch((error: unknown) => String(error));
    expect(outcomes).toBe("Error: fulfilled,rejected");
    expect(await pool`select 7 as x`).toEqual([{ x: 7 }]);
  }
});

test("a statement takes the connection that was used last, whose caches are warm", async () => {
  const pool = openPool(3);
  const atOnce = await Promise.all(Array.from({ length: 3 }, () => pool.begin(pidOf)));
  expect(new Set(atOnce).size).toBe(3);
  const first = await pidOf(pool);
  for (let count = 0; count < 5; count += 1) {
    expect(await pidOf(pool)).toBe(first);
    expect(await pool.begin(pidOf)).toBe(first);
  }
});
