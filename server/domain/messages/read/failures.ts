import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { catalogueEntry, type ErrorCode, FAILURE_CODES } from "@/server/platform/errors";

interface FailureKind {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Why a message can fail: every code, and what it means, to choose from.
 * @throws WaypostError `permission_denied`.
 */
export function listFailures({ ctx }: { ctx: Context }): readonly FailureKind[] {
  requireMemberCapability(ctx.actor, "messages.read");
  return FAILURE_CODES.map((code) => ({ code, message: catalogueEntry(code).message }));
}
