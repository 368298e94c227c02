import type { Logger } from "pino";
import type { Sql } from "@/db/client";
import type { KeyActor } from "@/server/core/actor";

export interface KeyUsageOptions {
  readonly sql: Sql;
  readonly log: Logger;
  /** How long uses are collected before they are written together. */
  readonly lingerMs?: number;
  /** A process writes each secret at most once in that time. */
  readonly perSecretMs?: number;
}

/** Records when each key and each of its secrets was last used. Collects in memory, and writes off the request path. */
export interface KeyUsage {
  /** Records that the key was used now. Never throws, never waits. */
  touch(actor: UsedKey): void;
  /** Writes the rest, and then stops. Never throws. */
  stop(): Promise<void>;
}

type UsedKey = Pick<KeyActor, "organizationId" | "keyId" | "secretId">;

/** Times are of the monotonic clock. The database receives ages, so that all stored times are of its own clock. */
interface Use extends UsedKey {
  usedAtMs: number;
  /** Null until the first write. */
  writtenAtMs: number | null;
  isDirty: boolean;
}

const ROWS_MAX = 500;

export function createKeyUsage({
  sql,
  log,
  lingerMs = 1_000,
  perSecretMs = 60_000,
}: KeyUsageOptions): KeyUsage {
  const uses = new Map<string, Use>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const isDue = (use: Use) => use.writtenAtMs === null || performance.now() - use.writtenAtMs >= perSecretMs;

  function schedule(): void {
    if (timer !== null || isStopped) return;
    timer = setTimeout(() => {
      writing = write(isDue).finally(() => {
        timer = null;
        if (uses.size > 0) schedule();
      });
    }, lingerMs);
    timer.unref();
  }

  async function write(isWanted: (use: Use) => boolean): Promise<void> {
    const wanted = [...uses.values()].filter((use) => use.isDirty && isWanted(use));
    try {
      await store(sql, wanted);
    } catch (error) {
      log.warn({ err: error, keys: wanted.length }, "writing the last use of keys failed: retrying");
    }
    for (const use of uses.values()) {
      if (!use.isDirty && isDue(use)) uses.delete(use.secretId);
    }
  }

  return {
    touch({ organizationId, keyId, secretId }) {
      const usedAtMs = performance.now();
      const known = uses.get(secretId);
      const use = known ?? { organizationId, keyId, secretId, usedAtMs, writtenAtMs: null, isDirty: true };
      use.usedAtMs = usedAtMs;
      use.isDirty = true;
      uses.set(secretId, use);
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
  const sorted = uses.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  for (let from = 0; from < sorted.length; from += ROWS_MAX) {
    await storeBatch(sql, sorted.slice(from, from + ROWS_MAX));
  }
}

const placeOf = ({ keyId, secretId }: Use) => `${keyId} ${secretId}`;

async function storeBatch(sql: Sql, batch: readonly Use[]): Promise<void> {
  const startedAtMs = performance.now();
  const keyIds = batch.map((use) => use.keyId);
  const secretIds = batch.map((use) => use.secretId);
  const organizationIds = batch.map((use) => use.organizationId);
  const agesSeconds = batch.map((use) => (startedAtMs - use.usedAtMs) / 1_000);
  await sql`
    with used as materialized (
      select key_id, secret_id, organization_id, clock_timestamp() - make_interval(secs => age_seconds) as used_at
      from unnest(${keyIds}::uuid[], ${secretIds}::uuid[], ${organizationIds}::uuid[],
        ${agesSeconds}::double precision[]) as given (key_id, secret_id, organization_id, age_seconds)
    ), by_secret as (
      insert into api_key_secret_usage as u (secret_id, organization_id, last_used_at)
      select secret_id, organization_id, used_at from used
      on conflict (secret_id) do update set last_used_at = excluded.last_used_at
        where u.last_used_at < excluded.last_used_at
    )
    insert into api_key_usage as u (key_id, organization_id, last_used_at)
    select key_id, organization_id, max(used_at) from used group by key_id, organization_id order by key_id
    on conflict (key_id) do update set last_used_at = excluded.last_used_at
      where u.last_used_at < excluded.last_used_at`;
  for (const use of batch) {
    use.writtenAtMs = startedAtMs;
    use.isDirty = use.usedAtMs > startedAtMs;
  }
}
