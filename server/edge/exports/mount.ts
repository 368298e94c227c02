import { z } from "zod";
import { newId } from "@/db/schema";
import { callerOf } from "@/server/edge/trpc/mount";
import { WaypostError } from "@/server/platform/errors";
import { pageErrorResponse } from "@/server/transport/page-error";
import type { Context, Services } from "@/server/core/context";
import { exportAudit, exportAuditInput } from "@/server/domain/audit/export";
import { exportMessages } from "@/server/domain/messages/read/export";
import { searchFilterSchema } from "@/server/domain/messages/read/search-filter";
import { parseInput } from "@/server/core/input/parse-input";
import { exportRequests } from "@/server/domain/requests/export";
import { filterSchema } from "@/server/domain/requests/schemas";
import { exportUsage } from "@/server/domain/usage/export";

export const EXPORT_PATH = "/api/export";

/** Maximum number of concurrent exports per person. Each reads the database as fast as its reader consumes it. */
const RUNNING_MAX = 2;

/** Query parameters of an export: text, each name once. */
type ExportQuery = Readonly<Record<string, string>>;

/** @throws WaypostError `validation_failed`, or an error of the verb, before the first chunk. */
type Export = (ctx: Context, query: ExportQuery) => AsyncGenerator<string, void, undefined>;

/** A status is a number, but text in a URL. */
const numbered = z.looseObject({ status: z.coerce.number().optional() });

/** The lists that can be exported, by file name. */
const EXPORTS: Readonly<Record<string, Export>> = {
  "messages.csv": (ctx, query) => exportMessages({ ctx, input: parseInput(searchFilterSchema, query) }),
  "requests.csv": (ctx, query) =>
    exportRequests({ ctx, input: parseInput(filterSchema, parseInput(numbered, query)) }),
  "usage.csv": (ctx, query) => exportUsage({ ctx, input: query }),
  "audit.csv": (ctx, query) => exportAudit({ ctx, input: parseInput(exportAuditInput, query) }),
};

/**
 * `GET /api/export/<list>.csv?organization=<id>&…`: exports a list as a file, authorized by the session cookie.
 * Organization and filter are in the URL, because a link has no headers. Errors are sent before the first byte. A later
 * failure breaks the download off, so that a partial file isn't mistaken for a complete one.
 */
export function exportMount(services: Services) {
  const running = new Map<string, number>();
  return async (request: Request, address: string | null): Promise<Response> => {
    const requestId = newId();
    try {
      const { pathname, searchParams } = new URL(request.url);
      const name = pathname.slice(EXPORT_PATH.length + 1);
      const list = Object.hasOwn(EXPORTS, name) ? EXPORTS[name] : undefined;
      if (list === undefined) throw new WaypostError("not_found");
      if (request.method !== "GET") {
        throw new WaypostError("method_not_allowed", { headers: { Allow: "GET" } });
      }
      const { organization = null, ...query } = queryOf(searchParams);
      const caller = await callerOf(services, request.headers, {
        organizationId: organization,
        requestId,
        address,
      });
      const { actor, person } = caller;
      if (!person) throw new WaypostError("not_signed_in");
      if (actor === null) throw new WaypostError("organization_not_found");
      const ctx: Context = { ...caller, actor };
      const chunks = releasing(list(ctx, query), occupy(running, person.userId));
      const file = await fileOf(name, requestId, chunks);
      whenLeft(request.signal, () => void chunks.return(undefined));
      return file;
    } catch (error) {
      return pageErrorResponse(services, requestId, error);
    }
  };
}

/** @throws WaypostError `validation_failed` for a duplicate name. */
function queryOf(search: URLSearchParams): ExportQuery {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of search) {
    if (name in query)
      throw new WaypostError("validation_failed", { field: name, message: "is given twice" });
    query[name] = value;
  }
  return { ...query };
}

/** @throws WaypostError `rate_limited` if the person has the maximum number of exports running. */
function occupy(running: Map<string, number>, userId: string): () => void {
  const count = running.get(userId) ?? 0;
  if (count >= RUNNING_MAX) {
    throw new WaypostError("rate_limited", {
      message: `${RUNNING_MAX} files are being made for you already. Try again when one of them is done.`,
      headers: { "Retry-After": "5" },
    });
  }
  running.set(userId, count + 1);
  return () => {
    const left = (running.get(userId) ?? 1) - 1;
    if (left > 0) running.set(userId, left);
    else running.delete(userId);
  };
}

/** If the client disconnects before the response, Next doesn't cancel the body but aborts the request. */
function whenLeft(signal: AbortSignal, stop: () => void): void {
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
}

async function* releasing(chunks: AsyncGenerator<string>, release: () => void): AsyncGenerator<string> {
  try {
    yield* chunks;
  } finally {
    release();
  }
}

/**
 * Produces the file as fast as it is read. Requests the first chunk before it responds, so that an error can still be
 * sent.
 */
async function fileOf(name: string, requestId: string, chunks: AsyncGenerator<string>): Promise<Response> {
  const first = await chunks.next();
  let ready = first.done ? null : first.value;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const held = ready;
        ready = null;
        const next = held === null ? await chunks.next() : { done: false, value: held };
        if (next.done || next.value === undefined) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="waypost-${name}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
    },
  });
}
