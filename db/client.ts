import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { arrayTypes } from "./array-types";
import * as schema from "./schema";

/** Address of a database: a URL, or the socket of the embedded one. */
export type DatabaseAddress =
  | {
      readonly url: string;
      /** False if another connection may handle the next transaction. Defaults to true, or to the URL's parameter. */
      readonly isPrepared?: boolean;
    }
  | {
      readonly socketDirectory: string;
      readonly port: number;
      readonly user: string;
      readonly password: string | (() => Promise<string>);
      readonly database: string;
    };

export type Sql = postgres.Sql;
export type TransactionSql = postgres.TransactionSql;
/** Runs a statement: a pool, or a transaction of one. */
export type Executor = Sql | TransactionSql;
/** Part of a statement. */
export type SqlFragment = postgres.PendingQuery<postgres.Row[]>;
export type Orm = PostgresJsDatabase<typeof schema>;
export type OrmTransaction = Parameters<Parameters<Orm["transaction"]>[0]>[0];

export interface PoolOptions {
  /** Names the connections in `pg_stat_activity`. */
  readonly name: string;
  readonly connectionsMax: number;
  /**
   * A connection that doesn't respond to a statement for this long is closed, and the statement fails. No limit if
   * absent.
   */
  readonly answerTimeoutMs?: number;
  /** Receives PostgreSQL's notices. They are dropped if absent. */
  readonly onNotice?: (notice: postgres.Notice) => void;
}

const CONNECT_TIMEOUT_SECONDS = 5;
const RECONNECT_AFTER_SECONDS = 0.2;

/**
 * Creates a connection pool that reconnects by itself after the database was unavailable. Times are `Date`s, bigints
 * are numbers (ours stay below 2^53), and statements are prepared unless the address says otherwise.
 *
 * `server/build/patches` fixes postgres.js 3.4.9 at installation: a connection that broke in a transaction ended the
 * process or never reconnected, and statements of that transaction, or of one that had ended, ran outside of it (issues
 * 1186, 1189, 1208 and 1216 of porsager/postgres). The patch also adds a time limit for responses, takes the connection
 * that was used last instead of the one that has been idle for longest, and sends the statements of a transaction that
 * don't wait for each other at once.
 */
export function createPool(address: DatabaseAddress, options: PoolOptions): Sql {
  const common = {
    max: options.connectionsMax,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    backoff: () => RECONNECT_AFTER_SECONDS,
    idle_timeout: 0,
    max_lifetime: 60 * 60,
    // One statement at a time outside of transactions: a pooler gives the connection away after the first response, so
    // that the second statement would have none.
    max_pipeline: 0,
    answer_timeout: options.answerTimeoutMs === undefined ? null : options.answerTimeoutMs / 1000,
    connection: { application_name: `waypost-${options.name}` },
    onnotice: options.onNotice ?? (() => undefined),
    fetch_types: false,
    types: { ...arrayTypes, bigint: NUMERIC_BIGINT },
  } as const;
  if ("url" in address) {
    const { url, isPrepared } = address;
    return postgres(url, isPrepared === undefined ? common : { ...common, prepare: isPrepared });
  }
  return postgres({
    ...common,
    host: address.socketDirectory,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
  });
}

const NUMERIC_BIGINT: postgres.PostgresType<number> = {
  to: 20,
  from: [20],
  serialize: (value: unknown) => String(value),
  parse: (value: string) => Number(value),
};

/**
 * Creates Drizzle over its own pool. Drizzle changes how its pool reads times, so a pool is used either through it or
 * with hand-written SQL, never both.
 */
export function createOrm(address: DatabaseAddress, options: PoolOptions): Orm & { $client: Sql } {
  return drizzle(createPool(address, options), { schema, casing: "snake_case" });
}

/** Id of the lock that all processes of an installation use to run migrations. */
const MIGRATION_LOCK = 7_261_906_201;
const LOCK_AGAIN_MS = 100;

export class DatabaseTooNew extends Error {
  constructor(applied: number, known: number) {
    super(
      `The database has ${applied} migrations and this program knows ${known}: it was last used by a newer ` +
        `version of Waypost. Start that version; nothing was changed.`,
    );
    this.name = "DatabaseTooNew";
  }
}

/** The database's last migration is older than the merge of the migrations into one. */
export class DatabaseTooOld extends Error {
  constructor() {
    super(
      "The database was last used by a version of Waypost that this one can't upgrade from: its last migration " +
        "is none of this program's. Upgrade to a version in between first; nothing was changed.",
    );
    this.name = "DatabaseTooOld";
  }
}

/**
 * Migrates the database to this program's schema. Safe if several processes start concurrently: the lock belongs to a
 * transaction, so that it works behind PgBouncer and can't outlive a crash.
 * @throws DatabaseTooNew, DatabaseTooOld if this program doesn't know the database's last migration.
 */
export async function migrateDatabase(address: DatabaseAddress, appRoot: string): Promise<void> {
  const pool = createPool(address, { name: "migrate", connectionsMax: 2 });
  try {
    while (!(await migrateUnderLock(pool, appRoot))) await delay(LOCK_AGAIN_MS);
  } finally {
    await pool.end({ timeout: 5 });
  }
}

/**
 * Returns false while another process migrates. The caller retries instead of waiting in a transaction, because waiting
 * processes could hold every connection of PgBouncer, including the one that the other process needs.
 */
function migrateUnderLock(pool: Sql, appRoot: string): Promise<boolean> {
  return pool.begin(async (lock) => {
    const [row] = await lock<{ isOurs: boolean }[]>`
      select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isOurs"`;
    if (!row?.isOurs) return false;
    await refuseUnknown(pool, appRoot);
    await migrate(drizzle(pool), { migrationsFolder: migrationsOf(appRoot) });
    return true;
  });
}

async function refuseUnknown(pool: Sql, appRoot: string): Promise<void> {
  const { applied, known, newer, isTooOld } = await countMigrations(pool, appRoot);
  if (newer > 0) throw new DatabaseTooNew(applied + newer, known);
  if (isTooOld) throw new DatabaseTooOld();
}

export interface MigrationCounts {
  /** Number of this program's migrations that the database has. */
  readonly applied: number;
  /** Number of this program's migrations. */
  readonly known: number;
  /** Number of the database's migrations that are newer than all of this program's. */
  readonly newer: number;
  /** True if the database's last migration is unknown to this program and older than its newest one. */
  readonly isTooOld: boolean;
}

/** Compares the database's migrations with the program's. As in Drizzle, a migration is identified by its time. */
export async function countMigrations(sql: Executor, appRoot: string): Promise<MigrationCounts> {
  const known = await knownMigrations(appRoot);
  const none = { applied: 0, known: known.length, newer: 0, isTooOld: false };
  const [found] = await sql<{ present: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!found?.present) return none;
  const [row] = await sql<{ last: number | null; newer: number }[]>`
    select max(created_at) as last, count(*) filter (where created_at > ${known.at(-1) ?? 0})::int as newer
    from drizzle.__drizzle_migrations`;
  const last = row?.last ?? null;
  if (row === undefined || last === null) return none;
  const applied = known.filter((madeAt) => madeAt <= last).length;
  return { ...none, applied, newer: row.newer, isTooOld: row.newer === 0 && !known.includes(last) };
}

const knownOf = new Map<string, readonly number[]>();

/** Creation times of the program's migrations, in Unix milliseconds, oldest first. Read once per process. */
async function knownMigrations(appRoot: string): Promise<readonly number[]> {
  const seen = knownOf.get(appRoot);
  if (seen !== undefined) return seen;
  const { readMigrationFiles } = await import("drizzle-orm/migrator");
  const files = readMigrationFiles({ migrationsFolder: migrationsOf(appRoot) });
  const found = files.map(({ folderMillis }) => folderMillis);
  knownOf.set(appRoot, found);
  return found;
}

const migrationsOf = (appRoot: string) => path.join(appRoot, "db", "migrations");
