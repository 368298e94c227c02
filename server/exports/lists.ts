import { z } from "zod";
import { exportAudit, exportAuditInput } from "../audit/export";
import type { Context } from "../context";
import { exportMessages } from "../messages/export";
import { searchFilterSchema } from "../messages/search-filter";
import { parseInput } from "../parse-input";
import { exportRequests } from "../requests/export";
import { filterSchema } from "../requests/schemas";

/** What stands in the address of a file: text, each name once. */
export type ExportQuery = Readonly<Record<string, string>>;

/** @throws WaypostError `validation_failed`, or as the verb does, before the first chunk. */
export type Export = (ctx: Context, query: ExportQuery) => AsyncGenerator<string, void, undefined>;

/** A status is a number, which an address spells as text. */
const numbered = z.looseObject({ status: z.coerce.number().optional() });

/** The lists that there are as files, by the name of the file. */
export const EXPORTS: Readonly<Record<string, Export>> = {
  "messages.csv": (ctx, query) => exportMessages({ ctx, input: parseInput(searchFilterSchema, query) }),
  "requests.csv": (ctx, query) =>
    exportRequests({ ctx, input: parseInput(filterSchema, parseInput(numbered, query)) }),
  "audit.csv": (ctx, query) => exportAudit({ ctx, input: parseInput(exportAuditInput, query) }),
};
