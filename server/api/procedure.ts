import { TRPCError } from "@trpc/server";
import { isDatabaseUnavailable } from "@/db/errors";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { ERRORS, isWaypostError, WaypostError } from "../errors";
import { assertPlainInput } from "./plain-input";
import { type ProcedureMeta, t } from "./trpc";
import { validationError } from "./validation-error";

/** A refusal that looks at the raw input, before its schema does. */
export type Precheck = (raw: Readonly<Record<string, unknown>>) => void;

/**
 * The base of every procedure. Before the input is parsed: who may (capability table), the bucket, the raw pre-checks;
 * around it all: every error becomes one of the catalogue, once.
 */
export function procedure(meta: ProcedureMeta, precheck?: Precheck) {
  return t.procedure.meta(meta).use(async ({ ctx, next, getRawInput }) => {
    const call = async () => {
      checkRaw(ctx, await getRawInput(), precheck);
      return next();
    };
    try {
      requireCapability(ctx.actor, meta.capability);
      const unit = takeUnit(ctx, meta);
      if (!meta.isCheap) await unit;
      const result = await unlessRefused(unit, call());
      if (!result.ok) throw result.error;
      return result;
    } catch (error) {
      throw toTrpcError(ctx, error);
    }
  });
}

/** What the work answers, or why it may not be done, which wins over whatever the work says. */
async function unlessRefused<T>(permission: Promise<void>, work: Promise<T>): Promise<T> {
  const [permitted, worked] = await Promise.allSettled([permission, work]);
  if (permitted.status === "rejected") throw permitted.reason;
  if (worked.status === "rejected") throw worked.reason;
  return worked.value;
}

async function takeUnit(ctx: Context, meta: ProcedureMeta): Promise<void> {
  if (ctx.actor.kind !== "key" || meta.bucket === null) return;
  const limit = meta.bucket === "send" ? ctx.actor.sendLimit : ctx.actor.readLimit;
  const ticket = await ctx.services.limits.take(ctx.actor.keyId, meta.bucket, limit);
  if (ticket.kind === "granted") ctx.noteRate?.(ticket.headers);
}

function checkRaw(ctx: Context, raw: unknown, precheck?: Precheck): void {
  if (typeof raw !== "object" || raw === null) return;
  if (ctx.actor.kind === "key" && "organization_id" in raw) {
    throw new WaypostError("organization_not_allowed", { field: "organization_id" });
  }
  precheck?.({ ...raw });
  assertPlainInput(raw);
}

/** Maps whatever was thrown to a TRPCError whose cause is a WaypostError. Internal detail goes to the log only. */
function toTrpcError(ctx: Context, error: unknown): TRPCError {
  const known = toWaypostError(ctx, error);
  return new TRPCError({ code: ERRORS[known.code].trpc, message: known.message, cause: known });
}

function toWaypostError(ctx: Context, error: unknown): WaypostError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
  if (isWaypostError(cause)) return cause;
  if (error instanceof TRPCError && error.code === "BAD_REQUEST") return validationError(cause);
  if (isDatabaseUnavailable(cause)) return unavailable(cause);
  ctx.services.log.error({ err: cause, requestId: ctx.requestId }, "procedure failed");
  return new WaypostError("internal_error", { cause });
}

const RETRY_AFTER_SECONDS = "1";

/** The answer while the database is away. */
export function unavailable(cause: unknown): WaypostError {
  return new WaypostError("unavailable", { cause, headers: { "Retry-After": RETRY_AFTER_SECONDS } });
}
