import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { catalogueEntry, type ErrorCode, FAILURE_CODES } from "@/server/platform/errors";

interface FailureKind {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Returns every failure code and its meaning, as choices.
 * @throws WaypostError `permission_denied`.
 */
export function listFailures({ ctx }: { ctx: Context }): readonly FailureKind[] {
  requireMemberCapability(ctx.actor, "messages.read");
  return FAILURE_CODES.map((code) => ({ code, message: catalogueEntry(code).message }));
}
