import { z } from "zod";

/** Ids are stored in an index, whose entries have a maximum size. */
const ID_LENGTH_MAX = 512;

/** An id from the upstream. A number is converted to its digits. */
export const upstreamId = z
  .union([z.string(), z.number().int()])
  .transform(String)
  .refine((id) => id.length > 0 && id.length <= ID_LENGTH_MAX);

/** The last second of the year 9999. PostgreSQL can't return later times in a readable form. */
const SECONDS_MAX = 253_402_300_799;

/** A Unix time in seconds, as text or number. */
export const seconds = z
  .union([z.string().regex(/^\d{1,12}$/), z.number()])
  .transform(Number)
  .refine((value) => value >= 0 && value <= SECONDS_MAX)
  .transform((value) => new Date(value * 1000));

/** An optional field that is ignored if it is unreadable. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

export const maybeText = maybe(z.string());

/** More than any list within a message has: Meta allows several hundred contact cards. */
const ITEMS_MAX = 500;

/** A list, cut to the maximum number of items. */
const items = z.array(z.unknown()).transform((all) => all.slice(0, ITEMS_MAX));

/** A list in which every item must be readable. */
export const listOfAll = <T extends z.ZodType>(schema: T) => items.pipe(z.array(schema));

/** A list of objects. Unreadable ones are dropped. */
export const listOf = <T extends z.ZodType>(schema: T) =>
  maybe(items).transform((some = []) =>
    some.flatMap((item): z.output<T>[] => {
      const parsed = schema.safeParse(item);
      return parsed.success ? [parsed.data] : [];
    }),
  );
