import { createBatcher } from "@/server/lib/batch";
import { requireCapability } from "@/server/core/capabilities";
import { canUseChannel } from "@/server/core/channel-access";
import { type Context, perServices } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import { readColumns, type ReadRow, readShape } from "../model/read-shape";
import type { MessageOutput } from "../model/schemas";

interface Query {
  readonly organizationId: string;
  readonly messageId: string;
}

const BATCH_MAX = 64;
const IN_FLIGHT_MAX = 1;

const batcherOf = perServices((services) =>
  createBatcher<Query, ReadRow | null>({
    itemsMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    gathered: services.load.batchSize,
    run: async (queries) => {
      const rows = await services.sql<(ReadRow & { position: number })[]>`
        select q.position::int, ${readColumns(services.sql)}
        from unnest(
          ${queries.map((query) => query.organizationId)}::uuid[], ${queries.map((query) => query.messageId)}::uuid[]
        ) with ordinality as q (organization_id, id, position)
        join messages m on m.organization_id = q.organization_id and m.id = q.id and m.kind <> 'note'`;
      const found = new Map(rows.map((row) => [row.position, row]));
      return queries.map((_, index) => found.get(index + 1) ?? null);
    },
  }),
);

/**
 * Returns one message of either direction, as the public API shows it.
 * @throws WaypostError `message_not_found`, the same for an unknown or malformed id, another organization's message, an
 * internal note and a message on a channel that the key may not use.
 */
export async function getMessage(args: { ctx: Context; input: { id: string } }): Promise<MessageOutput> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.read");
  if (!isUuid(input.id)) throw new WaypostError("message_not_found");
  const { organizationId } = ctx.actor;
  const row = await batcherOf(ctx.services)({ organizationId, messageId: input.id.toLowerCase() });
  if (row === null || !canUseChannel(ctx, row.channelId)) throw new WaypostError("message_not_found");
  return readShape(row, ctx.services);
}
