import { vi } from "vitest";
import { z } from "zod";
import type { Sql } from "@/db/client";
import { setDatabaseClock } from "@/db/testing";

/** How many rows of a table some work reads, by whichever plan. The work is given a pool that is one transaction. */
export function rowsReadBy(pool: Sql, table: string, work: (sql: Sql) => Promise<unknown>): Promise<number> {
  return pool.begin(async (tx) => {
    // What the connection read before may be counted still.
    const readSoFar = async () => {
      const [row] = await tx<{ count: number }[]>`
        select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
        from pg_stat_xact_user_tables where relname = ${table}`;
      return row?.count ?? 0;
    };
    const before = await readSoFar();
    await work(
      new Proxy(pool, {
        apply: (_, thisArg, args) => Reflect.apply(tx, thisArg, args),
        get: (target, name) => (name === "begin" ? tx.savepoint.bind(tx) : Reflect.get(target, name)),
      }),
    );
    return (await readSoFar()) - before;
  });
}

/** Names of ids that belong to the caller's own wording, or to Meta, and not to a row. */
const OWN_WORDS = ["client_message_id", "clientMessageId", "phoneNumberId", "wabaId", "replay_id"];

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/** Fields of an input that name a row by its id, wherever in it, by their path. */
export function idFields(schema: unknown): string[] {
  if (!(schema instanceof z.ZodType)) return [];
  // Guarantee: a JSON Schema has these members in this form, where it has them.
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape;
  return [...new Set(idPaths(shape))].filter((path) => !OWN_WORDS.includes(path));
}

function idPaths({ properties = {}, items, anyOf = [], oneOf = [] }: Shape): string[] {
  const own = Object.entries(properties).flatMap(([name, below]) => [
    ...(/(^id|_ids?|Ids?|_key)$/.test(name) ? [name] : []),
    ...idPaths(below).map((path) => `${name}.${path}`),
  ]);
  return [...own, ...[...anyOf, ...oneOf, ...(items ? [items] : [])].flatMap(idPaths)];
}

/** Why a check fails: an endpoint lacks this step of "Add an endpoint" in `server/contributing.md`. */
export function missingStep(title: string): string {
  return `Step "${title}" of server/contributing.md is missing`;
}

const HOUR_MS = 60 * 60 * 1000;

/** Clocks that are wrong, for `test.each`: the direction in words, and by how much. */
export const WRONG_CLOCKS = [
  ["ahead", HOUR_MS],
  ["back", -HOUR_MS],
] as const;

/** Sets this process's clock wrong, and stops it. `vi.useRealTimers()` sets it right. */
export function setClockWrong(byMs: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });
}

/**
 * Sets the machine's clock: that of this process, and with it that of the PostgreSQL which Waypost brings along. 0 sets it
 * right. For a world whose clock is movable.
 */
export async function setMachineClock(sql: Sql, aheadMs: number): Promise<void> {
  await setDatabaseClock(sql, aheadMs);
  vi.useRealTimers();
  if (aheadMs !== 0)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + aheadMs, shouldAdvanceTime: true });
}
