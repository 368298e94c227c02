import { TRPCError } from "@trpc/server";
import { isDatabaseUnavailable } from "@/db/errors";
import type { Actor, KeyActor } from "./actor";
import { requireCapability } from "./capabilities";
import type { Caller, Context } from "./context";
import { type ErrorCode, ERRORS, isWaypostError, WaypostError } from "@/server/platform/errors";
import { type Bucket, POLICIES } from "@/server/adapters/limits/policies";
import { assertPlainInput } from "./input/plain-input";
import { type ProcedureMeta, t } from "./trpc";
import { validationError } from "./input/parse-input";

/** A check of the raw input, before its schema parses it. */
export type Precheck = (raw: Readonly<Record<string, unknown>>) => void;

/**
 * The base of every procedure. Before the input is parsed, it checks the capability table, the rate-limit bucket and
 * the raw pre-checks. It maps every error to one of the catalogue, once.
 */
export function procedure(meta: ProcedureMeta, precheck?: Precheck) {
  return t.procedure.meta(meta).use(async ({ ctx: caller, next, getRawInput }) => {
    try {
      const ctx = { ...caller, actor: requireActor(caller) };
      const call = async () => {
        checkRaw(ctx.actor, await getRawInput(), precheck);
        return next({ ctx });
      };
      // Procedures outside the public API are for members only, even if their capability has a scope.
      if (ctx.actor.kind === "key" && !meta.openapi) throw new WaypostError("permission_denied");
      requireCapability(ctx.actor, meta.capability);
      const unit = takeUnit(ctx, meta);
      if (!meta.isCheap) await unit;
      const result = await withPermission(unit, call());
      if (!result.ok) throw result.error;
      return result;
    } catch (error) {
      throw await toTrpcError(caller, error, getRawInput);
    }
  });
}

/** The base of procedures about the signed-in person, independent of the organizations they are a member of. */
export function personalProcedure(errors: readonly ErrorCode[] = []) {
  return t.procedure.meta({ access: "signed-in", errors }).use(async ({ ctx, next, getRawInput }) => {
    try {
      if (!ctx.person) throw new WaypostError("not_signed_in");
      checkRaw(ctx.actor, await getRawInput());
      const result = await next({ ctx: { ...ctx, person: ctx.person } });
      if (!result.ok) throw result.error;
      return result;
    } catch (error) {
      throw await toTrpcError(ctx, error, getRawInput);
    }
  });
}

/** The base of procedures that anyone with a link may call. */
export function openProcedure(errors: readonly ErrorCode[] = []) {
  return t.procedure.meta({ access: "anyone", errors }).use(async ({ ctx, next, getRawInput }) => {
    try {
      checkRaw(ctx.actor, await getRawInput());
      const result = await next({
        ctx: { ...ctx, person: ctx.person ?? null, address: ctx.address ?? null },
      });
      if (!result.ok) throw result.error;
      return result;
    } catch (error) {
      throw await toTrpcError(ctx, error, getRawInput);
    }
  });
}

/**
 * @throws WaypostError `not_signed_in`; `organization_not_found` for a person who isn't a member of the requested
 * organization.
 */
function requireActor({ actor, person }: Caller): Actor {
  if (actor !== null) return actor;
  throw new WaypostError(person ? "organization_not_found" : "not_signed_in");
}

/**
 * Returns the work's result, unless the permission is denied. That error takes priority over the outcome of the work.
 */
async function withPermission<T>(permission: Promise<void>, work: Promise<T>): Promise<T> {
  const [permitted, worked] = await Promise.allSettled([permission, work]);
  if (permitted.status === "rejected") throw permitted.reason;
  if (worked.status === "rejected") throw worked.reason;
  return worked.value;
}

const LIMIT_OF: Readonly<Record<Bucket, (actor: KeyActor) => number>> = {
  send: ({ sendLimit }) => sendLimit,
  read: ({ readLimit }) => readLimit,
  upload: () => POLICIES.upload.limitDefault,
};

async function takeUnit(ctx: Context, meta: ProcedureMeta): Promise<void> {
  if (ctx.actor.kind !== "key" || meta.bucket === null) return;
  const limit = LIMIT_OF[meta.bucket](ctx.actor);
  const ticket = await ctx.services.limits.take(ctx.actor.keyId, meta.bucket, limit);
  if (ticket.kind === "granted") ctx.noteRate?.(ticket.headers);
}

function checkRaw(actor: Actor | null, raw: unknown, precheck?: Precheck): void {
  if (typeof raw !== "object" || raw === null) return;
  if (actor?.kind === "key" && "organization_id" in raw) {
    throw new WaypostError("organization_not_allowed", { field: "organization_id" });
  }
  precheck?.({ ...raw });
  assertPlainInput(raw);
}

/** Maps any thrown value to a TRPCError whose cause is a WaypostError. Internal details only go to the log. */
async function toTrpcError(
  ctx: Caller,
  error: unknown,
  getRawInput: () => Promise<unknown>,
): Promise<TRPCError> {
  const known = await toWaypostError(ctx, error, getRawInput);
  return new TRPCError({ code: ERRORS[known.code].trpc, message: known.message, cause: known });
}

async function toWaypostError(
  ctx: Caller,
  error: unknown,
  getRawInput: () => Promise<unknown>,
): Promise<WaypostError> {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
  if (isWaypostError(cause)) return cause;
  if (error instanceof TRPCError && error.code === "BAD_REQUEST") {
    return validationError(cause, await getRawInput().catch(() => undefined));
  }
  if (isDatabaseUnavailable(cause)) return unavailable();
  ctx.services.log.error({ err: cause, requestId: ctx.requestId }, "procedure failed");
  // Has no cause: Next prints the error of a failed page, and would print the values of statements.
  return new WaypostError("internal_error");
}

const RETRY_AFTER_SECONDS = "1";

/** The error for requests while the database is unavailable. */
export function unavailable(): WaypostError {
  return new WaypostError("unavailable", { headers: { "Retry-After": RETRY_AFTER_SECONDS } });
}
