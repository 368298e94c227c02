import { z } from "zod";
import type { Context } from "./context";
import { WaypostError } from "@/server/platform/errors";

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 50;
const CURSOR_LENGTH_MAX = 1_000;

/** Input of every list in the public API. Query parameters are text, even if they contain a number. */
export const pageInput = {
  limit: z
    .string()
    .regex(/^([1-9][0-9]?|100)$/, `must be a whole number from 1 to ${LIMIT_MAX}`)
    .transform(Number)
    .default(LIMIT_DEFAULT)
    .meta({
      description: `Maximum number of entries on a page, from 1 to ${LIMIT_MAX}`,
      override: { type: "integer", minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
    }),
  cursor: z
    .string()
    .max(CURSOR_LENGTH_MAX, "must be the `next_cursor` of an earlier answer")
    .meta({ description: "`next_cursor` of the previous page" })
    .optional(),
} as const;

/** Output of every list. */
export function pageOutput<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      data: z.array(item),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Cursor of the next page. Null on the last page" }),
    })
    .meta({ id, examples: [{ data: item.meta()?.examples ?? [], next_cursor: null }] });
}

/** Counting a list stops here: it costs the same however long the list is. */
export const TOTAL_MAX = 1_000;

/** The number of entries of a list. */
export interface ListTotal {
  readonly count: number;
  /** True if there may be more: the count stopped at the maximum, or at the maximum of examined rows. */
  readonly isMore: boolean;
}

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Builds a page from rows. The query must ask for one row more than `limit`. */
export function pageOf<Row, T>(args: {
  ctx: Context;
  list: string;
  rows: readonly Row[];
  limit: number;
  shape: (row: Row) => T;
  /** Position of a row. The next page begins after it. */
  position: (row: Row) => readonly string[];
}): Page<T> {
  const { ctx, list, rows, limit, shape, position } = args;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(shape),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(ctx, list, position(last)) : null,
  };
}

/** Pads positions, so that the length of a cursor reveals nothing either, such as the number of digits. */
const PADDED_TO = 16;

/**
 * Encodes a position as a cursor. It is valid only for this list of this organization, and the same position gives the
 * same cursor. It is encrypted, because a position can reveal how much other organizations send.
 */
export function encodeCursor(ctx: Context, list: string, position: readonly string[]): string {
  const text = JSON.stringify(position);
  const padded = text.padEnd(Math.ceil(text.length / PADDED_TO) * PADDED_TO);
  return ctx.services.vault.encryptStable(padded, purposeOf(ctx, list));
}

/**
 * Returns the position that was passed to `encodeCursor`. Null for the first page.
 * @throws WaypostError `validation_failed` for a cursor that wasn't made for this list of this organization.
 */
export function decodeCursor(ctx: Context, list: string, cursor: string | undefined): string[] | null {
  return cursor === undefined ? null : positionSchema.parse(JSON.parse(decrypted(ctx, list, cursor)));
}

const positionSchema = z.array(z.string());

function decrypted(ctx: Context, list: string, cursor: string): string {
  try {
    return ctx.services.vault.decrypt(cursor, purposeOf(ctx, list));
  } catch {
    throw new WaypostError("validation_failed", {
      field: "cursor",
      message: "`cursor` must be the `next_cursor` of an earlier answer, as it was.",
    });
  }
}

function purposeOf(ctx: Context, list: string): string {
  return `cursor:${list}:${ctx.actor.organizationId}`;
}
