import { z } from "zod";

/** Ids are stored under an index, whose entries are limited. */
const ID_LENGTH_MAX = 512;

/** An id that the upstream gave; a number is taken for its digits. */
export const upstreamId = z
  .union([z.string(), z.number().int()])
  .transform(String)
  .refine((id) => id.length > 0 && id.length <= ID_LENGTH_MAX);

/** The last second of the year 9999: later ones are no times that PostgreSQL reads back. */
const SECONDS_MAX = 253_402_300_799;

/** A Unix time in seconds, as text or number. */
export const seconds = z
  .union([z.string().regex(/^\d{1,12}$/), z.number()])
  .transform(Number)
  .refine((value) => value >= 0 && value <= SECONDS_MAX)
  .transform((value) => new Date(value * 1000));

/** A field that says more where it can be read, and nothing where it can't. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

export const maybeText = maybe(z.string());

/** More than any list within a message has: Meta allows some hundred contact cards. */
const ITEMS_MAX = 500;

/** A list, of which only so many items are looked at. */
const items = z.array(z.unknown()).transform((all) => all.slice(0, ITEMS_MAX));

/** A list whose items can all be read. */
export const listOfAll = <T extends z.ZodType>(schema: T) => items.pipe(z.array(schema));

/** A list of objects, of which only what can be read is taken. */
export const listOf = <T extends z.ZodType>(schema: T) =>
  maybe(items).transform((some = []) =>
    some.flatMap((item): z.output<T>[] => {
      const parsed = schema.safeParse(item);
      return parsed.success ? [parsed.data] : [];
    }),
  );
