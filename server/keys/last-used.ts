import type { Logger } from "pino";
import type { Sql } from "@/db/client";
import type { KeyActor } from "../api/actor";

export interface KeyUsageOptions {
  readonly sql: Sql;
  readonly log: Logger;
  /** How long uses are gathered before they are written together. */
  readonly gatherMs?: number;
  /** A key is written at most once in that time, by one process. */
  readonly perKeyMs?: number;
}

/** When each key was last used: gathered in memory, written off the request path. */
export interface KeyUsage {
  /** The key was used just now. Never throws, never waits. */
  touch(actor: Pick<KeyActor, "organizationId" | "keyId">): void;
  /** Writes what isn't written yet, then no more. Never throws. */
  stop(): Promise<void>;
}

/** Times are of the monotonic clock: the database is told ages, so that its clock alone is stored. */
interface Use {
  readonly organizationId: string;
  readonly keyId: string;
  usedAtMs: number;
  /** Null until written once. */
  writtenAtMs: number | null;
  isDirty: boolean;
}

const ROWS_MAX = 500;

export function createKeyUsage({ sql, log, gatherMs = 1_000, perKeyMs = 60_000 }: KeyUsageOptions): KeyUsage {
  const uses = new Map<string, Use>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const isDue = (use: Use) => use.writtenAtMs === null || performance.now() - use.writtenAtMs >= perKeyMs;

  function schedule(): void {
    if (timer !== null || isStopped) return;
    timer = setTimeout(() => {
      writing = write(isDue).finally(() => {
        timer = null;
        if (uses.size > 0) schedule();
      });
    }, gatherMs);
    timer.unref();
  }

  async function write(isWanted: (use: Use) => boolean): Promise<void> {
    const wanted = [...uses.values()].filter((use) => use.isDirty && isWanted(use));
    try {
      await store(sql, wanted);
    } catch (error) {
      log.warn({ err: error, keys: wanted.length }, "last use of keys could not be written, trying again");
    }
    for (const use of uses.values()) {
      if (!use.isDirty && isDue(use)) uses.delete(use.keyId);
    }
  }

  return {
    touch({ organizationId, keyId }) {
      const usedAtMs = performance.now();
      const use = uses.get(keyId) ?? { organizationId, keyId, usedAtMs, writtenAtMs: null, isDirty: true };
      use.usedAtMs = usedAtMs;
      use.isDirty = true;
      uses.set(keyId, use);
      schedule();
    },
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await writing;
      await write(() => true);
    },
  };
}

async function store(sql: Sql, uses: readonly Use[]): Promise<void> {
  // Sorted, so that two processes lock rows in the same order.
  const sorted = uses.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
  for (let from = 0; from < sorted.length; from += ROWS_MAX) {
    await storeBatch(sql, sorted.slice(from, from + ROWS_MAX));
  }
}

async function storeBatch(sql: Sql, batch: readonly Use[]): Promise<void> {
  const startedAtMs = performance.now();
  const keyIds = batch.map((use) => use.keyId);
  const organizationIds = batch.map((use) => use.organizationId);
  const agesSeconds = batch.map((use) => (startedAtMs - use.usedAtMs) / 1_000);
  await sql`
    insert into api_key_usage as u (key_id, organization_id, last_used_at)
    select key_id, organization_id, clock_timestamp() - make_interval(secs => age_seconds)
    from unnest(${keyIds}::uuid[], ${organizationIds}::uuid[], ${agesSeconds}::double precision[])
      as used (key_id, organization_id, age_seconds)
    on conflict (key_id) do update set last_used_at = excluded.last_used_at
      where u.last_used_at < excluded.last_used_at`;
  for (const use of batch) {
    use.writtenAtMs = startedAtMs;
    use.isDirty = use.usedAtMs > startedAtMs;
  }
}
