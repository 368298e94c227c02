import { randomFillSync } from "node:crypto";
import { sql } from "drizzle-orm";
import { customType, timestamp, uuid } from "drizzle-orm/pg-core";

const pool = Buffer.alloc(4096);
let used = pool.length;

function random10(): Buffer {
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 10;
  return pool.subarray(used - 10, used);
}

/**
 * Creates a UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then random bits. Keys that are created one after
 * another are adjacent in an index. The order within a millisecond is not guaranteed: use `messages.accept_seq` for the
 * order.
 */
export function newId(now: number = Date.now()): string {
  const random = random10();
  const time = now.toString(16).padStart(12, "0");
  const tail = random.toString("hex");
  const variant = ((random.readUInt8(2) & 0x3f) | 0x80).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(1, 4)}-${variant}${tail.slice(6, 8)}-${tail.slice(8)}`;
}

// In every index, the most selective column is first, and the organization's id follows it. Otherwise, while a table
// has no statistics, the planner uses an index by that id alone, and reads the whole organization to check one key.

/** Primary key: a UUIDv7 created by the program. */
export const id = () => uuid().primaryKey().$defaultFn(newId);

export const time = () => timestamp({ withTimezone: true, mode: "date" });

export const createdAt = () => time().notNull().defaultNow();

/** Time of the write itself, not of the start of the transaction. */
export const writtenAt = () =>
  time()
    .notNull()
    .default(sql`clock_timestamp()`);

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
