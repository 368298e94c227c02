import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { catalogueEntry, type ErrorCode } from "@/server/platform/errors";
import { CODES } from "./schemas";

interface RefusalKind {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
}

/**
 * Returns every error code for requests with a key, with its status and meaning, as choices.
 * @throws WaypostError `permission_denied` without `requests.read`.
 */
export function listRefusals({ ctx }: { ctx: Context }): readonly RefusalKind[] {
  requireCapability(ctx.actor, "requests.read");
  return CODES.flatMap((code) => {
    const { status, message, memberOnly } = catalogueEntry(code);
    return status === null || memberOnly ? [] : [{ code, status, message }];
  });
}
