import { z } from "zod";
import { exportAudit, exportAuditInput } from "@/server/domain/audit/export";
import type { Context } from "@/server/core/context";
import { exportMessages } from "@/server/domain/messages/read/export";
import { searchFilterSchema } from "@/server/domain/messages/read/search-filter";
import { parseInput } from "@/server/core/input/parse-input";
import { exportRequests } from "@/server/domain/requests/export";
import { filterSchema } from "@/server/domain/requests/schemas";

/** Query parameters of an export: text, each name once. */
export type ExportQuery = Readonly<Record<string, string>>;

/** @throws WaypostError `validation_failed`, or an error of the verb, before the first chunk. */
export type Export = (ctx: Context, query: ExportQuery) => AsyncGenerator<string, void, undefined>;

/** A status is a number, but text in a URL. */
const numbered = z.looseObject({ status: z.coerce.number().optional() });

/** The lists that can be exported, by file name. */
export const EXPORTS: Readonly<Record<string, Export>> = {
  "messages.csv": (ctx, query) => exportMessages({ ctx, input: parseInput(searchFilterSchema, query) }),
  "requests.csv": (ctx, query) =>
    exportRequests({ ctx, input: parseInput(filterSchema, parseInput(numbered, query)) }),
  "audit.csv": (ctx, query) => exportAudit({ ctx, input: parseInput(exportAuditInput, query) }),
};
