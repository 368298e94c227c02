import { sql as query } from "drizzle-orm";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOrm, createPool, type Sql, type TransactionSql } from "./client";
import { isDatabaseUnavailable } from "./errors";
import { createTestDatabase, type TestDatabase } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`create table numbers (x int)`;
});
afterAll(() => database.drop());

const closers: (() => unknown)[] = [];
beforeEach(() => database.sql`truncate numbers`);
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A pool of one connection, so that the following statements must use the one that broke. */
function openPool(address: Parameters<typeof createPool>[0] = database.connection): Sql {
  const pool = createPool(address, { name: "test-broken", connectionsMax: 1 });
  closers.push(() => pool.end({ timeout: 1 }));
  return pool;
}

const numbers = async () =>
  (await database.sql<{ x: number }[]>`select x from numbers order by x`).map(({ x }) => x);
const terminate = (pid: number) => database.sql`select pg_terminate_backend(${pid})`;

async function pidOf(sql: Sql | TransactionSql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

async function faultOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => expect.fail("It succeeded"),
    (error: unknown) => error,
  );
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Shorter than the connection timeout, for which a dead slot would wait. */
const AT_ONCE_MS = 4_500;
async function expectUsable(pool: Sql): Promise<void> {
  const startedAt = performance.now();
  expect(await pool`select 7 as x`).toEqual([{ x: 7 }]);
  expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
}

describe("a connection that breaks in a transaction", () => {
  test("fails every statement in flight or waiting as unavailable, and the pool goes on at once", async () => {
    const pool = openPool();
    const faults: Promise<unknown>[] = [];
    const transaction = pool.begin(async (tx) => {
      const pid = await pidOf(tx);
      const slow = tx`select pg_sleep(60)`;
      faults.push(faultOf(slow), ...[1, 2, 3].map((x) => faultOf(tx`insert into numbers values (${x})`)));
      await terminate(pid);
      await slow;
    });
    expect(await faultOf(transaction)).toSatisfy(isDatabaseUnavailable);
    expect(faults).toHaveLength(4);
    for (const fault of faults) expect(await fault).toSatisfy(isDatabaseUnavailable);
    await expectUsable(pool);
    expect(await numbers()).toEqual([]);
  });

  test("fails what its work goes on to send, one statement after another, before there is a new one", async () => {
    const pool = openPool();
    let work: Promise<unknown[]> | undefined;
    const transaction = pool.begin((tx) => {
      work = (async () => {
        await terminate(await pidOf(tx));
        const faults = [await faultOf(tx`select pg_sleep(60)`)];
        for (const x of [1, 2, 3]) faults.push(await faultOf(tx`insert into numbers values (${x})`));
        return faults;
      })();
      return work;
    });
    expect(await faultOf(transaction)).toSatisfy(isDatabaseUnavailable);
    const faults = (await work) ?? [];
    expect(faults.map(isDatabaseUnavailable)).toEqual([true, true, true, true]);
    await expectUsable(pool);
    expect(await numbers()).toEqual([]);
  });

  test("fails what follows a reset of the connection, which is told before the connection is closed", async () => {
    const entrance = await openEntrance();
    const pool = openPool({ url: entrance.url });
    let work: Promise<unknown[]> | undefined;
    const transaction = pool.begin((tx) => {
      work = (async () => {
        await pidOf(tx);
        const slow = faultOf(tx`select pg_sleep(60)`);
        entrance.reset();
        return [await slow, await faultOf(tx`insert into numbers values (1)`)];
      })();
      return work;
    });
    expect(await faultOf(transaction)).toSatisfy(isDatabaseUnavailable);
    expect(((await work) ?? []).map(isDatabaseUnavailable)).toEqual([true, true]);
    for (let round = 0; round < 3; round++) await expectUsable(pool);
  });

  test.each([
    ["returns", () => undefined],
    [
      "throws",
      () => {
        throw new Error("given up");
      },
    ],
  ])("lets nothing of it reach the transaction that comes after it, when its work %s", async (_, end) => {
    const pool = openPool();
    const broken = deferred<void>();
    const successor = deferred<void>();
    const worked = deferred<unknown>();
    const transaction = pool.begin(async (tx) => {
      await terminate(await pidOf(tx));
      broken.resolve();
      await successor.promise;
      worked.resolve(await faultOf(tx`insert into numbers values (1)`));
      end();
    });
    const fault = faultOf(transaction);
    await broken.promise;
    const next = pool.begin(async (tx) => {
      await tx`insert into numbers values (2)`;
      successor.resolve();
      expect(await worked.promise).toSatisfy(isDatabaseUnavailable);
      // The first one's end is noticed after its statement.
      for (let round = 0; round < 3; round++) await tx`select 1`;
      throw new Error("rolled back");
    });
    await expect(next).rejects.toThrow("rolled back");
    expect(await fault).toSatisfy(isDatabaseUnavailable);
    expect(await numbers()).toEqual([]);
  });

  test("is the same for transactions through drizzle", async () => {
    const orm = createOrm(database.connection, { name: "test-broken-orm", connectionsMax: 1 });
    closers.push(() => orm.$client.end({ timeout: 1 }));
    const late = deferred<unknown>();
    const transaction = orm.transaction(async (tx) => {
      const [row] = await tx.execute<{ pid: number }>(query`select pg_backend_pid() as pid`);
      const slow = faultOf(tx.execute(query`select pg_sleep(60)`));
      await terminate(row?.pid ?? 0);
      await slow;
      late.resolve(await faultOf(tx.execute(query`insert into numbers values (1)`)));
    });
    expect(await faultOf(transaction)).toSatisfy(isDatabaseUnavailable);
    expect(await late.promise).toSatisfy(isDatabaseUnavailable);
    await expectUsable(orm.$client);
    expect(await numbers()).toEqual([]);
  });
});

describe("a transaction", () => {
  test.each([
    ["returns", undefined],
    ["throws", new Error("given up")],
  ])("takes no statement from the moment it ends, when its work %s", async (_, fault) => {
    const pool = openPool();
    const late: Promise<unknown>[] = [];
    let insertLate = (): Promise<unknown> => Promise.resolve();
    const transaction = pool.begin((tx) => {
      insertLate = () => faultOf(tx`insert into numbers values (1)`);
      late.push(setImmediate().then(insertLate));
      if (fault) throw fault;
    });
    await Promise.allSettled([transaction]);
    late.push(insertLate());
    for (const statement of late) expect(await statement).toMatchObject({ code: "TRANSACTION_ENDED" });
    expect(await numbers()).toEqual([]);
  });

  test("has its connection to itself when it begins behind as many statements as one connection takes", async () => {
    const pool = openPool();
    await pool`select 1`;
    const statements = Array.from({ length: 100 }, () => pool`select 1`.execute());
    const transaction = pool.begin(async (tx) => {
      await tx`insert into numbers values (1)`;
      throw new Error("rolled back");
    });
    const after = pool`insert into numbers values (2)`.execute();
    await expect(transaction).rejects.toThrow("rolled back");
    await Promise.all([...statements, after]);
    expect(await numbers()).toEqual([2]);
  });
});

describe("a connection whose other side says nothing any more", () => {
  const LIMIT_MS = 300;
  const openLimited = (url: string) => {
    const pool = createPool({ url }, { name: "test-silent", connectionsMax: 1, answerTimeoutMs: LIMIT_MS });
    closers.push(() => pool.end({ timeout: 1 }));
    return pool;
  };

  test.each(["a statement", "a transaction"])(
    "fails %s in time, and gives way to another one",
    async (kind) => {
      const entrance = await openEntrance();
      const pool = openLimited(entrance.url);
      await expectUsable(pool);
      entrance.silence();
      const fault =
        kind === "a statement"
          ? faultOf(pool`insert into numbers values (${1})`)
          : faultOf(pool.begin((tx) => tx`insert into numbers values (${1})`));
      expect(await fault).toSatisfy(isDatabaseUnavailable);
      await expectUsable(pool);
    },
  );

  test("is kept when there is nothing to say, and closed with its statement when that takes too long", async () => {
    const entrance = await openEntrance();
    const pool = openLimited(entrance.url);
    const pid = await pidOf(pool);
    await database.sql`select pg_sleep(${(2 * LIMIT_MS) / 1000})`;
    expect(await pidOf(pool)).toBe(pid);
    expect(await faultOf(pool`select pg_sleep(60)`)).toSatisfy(isDatabaseUnavailable);
    expect(await pidOf(pool)).not.toBe(pid);
  });

  test("is waited for where no limit is given", async () => {
    const pool = openPool({ url: (await openEntrance()).url });
    expect(await pool`select 1 as x, pg_sleep(${(2 * LIMIT_MS) / 1000})::text as y`).toEqual([
      { x: 1, y: "" },
    ]);
  });
});

/** A proxy to the database whose connections can be reset, as by a machine that disappeared, or stop responding. */
async function openEntrance() {
  const sockets = new Set<Socket>();
  const { socketDirectory, port } = database.connection;
  const entrance = createServer((client) => {
    sockets.add(client);
    pipeline(client, connect(`${socketDirectory}/.s.PGSQL.${port}`), client, () => undefined);
  });
  entrance.listen(0, "127.0.0.1");
  await once(entrance, "listening");
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
    sockets.clear();
  };
  const silence = () => sockets.forEach((socket) => socket.unpipe().resume());
  closers.push(() => {
    reset();
    entrance.close();
  });
  const address = entrance.address();
  if (address === null || typeof address === "string") throw new Error("The entrance listens on no TCP port");
  const url = new URL(database.url);
  url.port = String(address.port);
  return { url: url.href, reset, silence };
}
