import type { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { getRequestSchema } from "./schemas";
import { selectPage } from "./select-page";
import { type RefusedRequestView, viewOf } from "./view";

/**
 * Returns the refused request with that `X-Request-Id`.
 * @throws WaypostError `permission_denied` without `requests.read`; `request_not_found`, the same for an unknown or
 * malformed id, another organization's, one past the retention time, and one that was only counted.
 */
export async function getRequest(args: {
  ctx: Context;
  input: z.input<typeof getRequestSchema>;
}): Promise<RefusedRequestView> {
  const { ctx } = args;
  requireCapability(ctx.actor, "requests.read");
  const { requestId } = parseInput(getRequestSchema, args.input);
  const { rows } = await selectPage(ctx, { requestId }, { before: null, limit: 1 });
  if (rows[0] === undefined) throw new WaypostError("request_not_found");
  return viewOf(rows[0]);
}
