import { and, eq, inArray, lt, or, sql } from "drizzle-orm";
import { apiKeys } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { KEY_STATUS, readKeys } from "./read";
import { listKeysSchema, type ListKeysInput } from "./schemas";
import type { KeyView } from "./views";

/**
 * Lists the organization's keys, newest first, including revoked and expired ones unless `statuses` says otherwise. `q`
 * matches a part of the name, or the id.
 * @throws WaypostError `permission_denied` without `integrations.manage_api`.
 */
export async function listKeys(args: {
  ctx: Context;
  input: ListKeysInput;
}): Promise<{ data: KeyView[]; nextCursor: string | null }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { limit, cursor, statuses, q } = parseInput(listKeysSchema, args.input);
  const condition = and(
    cursor === null ? undefined : lt(apiKeys.id, cursor),
    statuses === undefined ? undefined : inArray(KEY_STATUS, statuses),
    q === undefined ? undefined : named(q.trim()),
  );
  const keys = await readKeys(ctx, { condition, rowsMax: limit + 1 });
  const data = keys.slice(0, limit);
  return { data, nextCursor: keys.length > limit ? (data.at(-1)?.id ?? null) : null };
}

const named = (text: string) =>
  or(
    sql`strpos(lower(${apiKeys.name}), lower(${text})) > 0`,
    isUuid(text) ? eq(apiKeys.id, text) : undefined,
  );
