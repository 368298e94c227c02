import { vi } from "vitest";
import { z } from "zod";
import type { Sql } from "@/db/client";
import { setDatabaseClock } from "@/db/testing";

/**
 * Returns how many rows of a table some work reads, with any query plan. The work gets a pool that is one transaction.
 */
export function rowsReadBy(pool: Sql, table: string, work: (sql: Sql) => Promise<unknown>): Promise<number> {
  return pool.begin(async (tx) => {
    // Earlier reads of the connection may be counted late.
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

/** Names of ids that the caller chooses, or that Meta assigns, and that don't refer to a row. */
const OWN_WORDS = [
  "client_message_id",
  "clientMessageId",
  "phoneNumberId",
  "wabaId",
  "replay_id",
  "interactive.buttons.id",
  "interactive.sections.rows.id",
];

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/** Returns the paths of the fields of an input, at any depth, that refer to a row by its id. */
export function idFields(schema: unknown): string[] {
  if (!(schema instanceof z.ZodType)) return [];
  // Without metadata no schema has a name, so that each stands in the place where it is used.
  const options = {
    io: "input",
    unrepresentable: "any",
    metadata: z.registry<Record<string, never>>(),
  } as const;
  // Guarantee: a JSON Schema has these members in this form, where it has them.
  const shape = z.toJSONSchema(schema, options) as Shape;
  return [...new Set(idPaths(shape))].filter((path) => !OWN_WORDS.includes(path));
}

function idPaths({ properties = {}, items, anyOf = [], oneOf = [] }: Shape): string[] {
  const own = Object.entries(properties).flatMap(([name, below]) => [
    ...(/(^id|_ids?|Ids?|_key|[a-z]Key|^replyTo|^assignee)$/.test(name) ? [name] : []),
    ...idPaths(below).map((path) => `${name}.${path}`),
  ]);
  return [...own, ...[...anyOf, ...oneOf, ...(items ? [items] : [])].flatMap(idPaths)];
}

/** The message of a failed check: an endpoint lacks this step of "Add an endpoint" in `server/contributing.md`. */
export function missingStep(title: string): string {
  return `Step "${title}" of server/contributing.md is missing`;
}

const HOUR_MS = 60 * 60 * 1000;

/** Wrong clocks for `test.each`: the direction in words, and the difference. */
export const WRONG_CLOCKS = [
  ["ahead", HOUR_MS],
  ["back", -HOUR_MS],
] as const;

/** Sets this process's clock wrong, and stops it. `vi.useRealTimers()` resets it. */
export function setClockWrong(byMs: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });
}

/**
 * Sets the machine's clock: that of this process, and of the PostgreSQL that Waypost includes. 0 resets it. For a world
 * with a movable clock.
 */
export async function setMachineClock(sql: Sql, aheadMs: number): Promise<void> {
  await setDatabaseClock(sql, aheadMs);
  vi.useRealTimers();
  if (aheadMs !== 0)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + aheadMs, shouldAdvanceTime: true });
}
