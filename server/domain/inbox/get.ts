import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { receivedColumns, receivedJoins, receivedOf, type ReceivedRow, type ReceivedWebhook } from "./rows";
import { KEPT_HEADERS, type KeptHeaders } from "./verify";

export const getReceivedSchema = z.strictObject({ receivedId: z.string() });

/** One received webhook. */
export interface ReceivedWebhookView extends ReceivedWebhook {
  /** In the order of the documentation. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Only the start, if the webhook isn't genuine. */
  readonly body: string;
  readonly isBodyWhole: boolean;
}

interface Row extends ReceivedRow {
  readonly headers: KeptHeaders;
  readonly body: string;
  readonly bodyBytes: number;
}

/**
 * Returns one webhook of the inbox, with headers and body.
 * @throws WaypostError `permission_denied` without `webhooks.manage`; `webhook_delivery_not_found`, the same for an
 * unknown or malformed id, another organization's, and one that is no longer stored.
 */
export async function getReceived(args: {
  ctx: Context;
  input: z.input<typeof getReceivedSchema>;
}): Promise<ReceivedWebhookView> {
  const { services, actor } = args.ctx;
  requireCapability(actor, "webhooks.manage");
  const { receivedId } = parseInput(getReceivedSchema, args.input);
  const rows = isUuid(receivedId)
    ? await services.sql<Row[]>`
        select ${receivedColumns(services.sql)}, i.headers, i.body, i.body_bytes as "bodyBytes"
        from demo_inbox i ${receivedJoins(services.sql)}
        where i.id = ${receivedId} and i.organization_id = ${actor.organizationId}`
    : [];
  const [row] = rows;
  if (!row) {
    throw new WaypostError("webhook_delivery_not_found", {
      message: "This webhook isn’t in the inbox, or was removed.",
    });
  }
  const { headers, body, bodyBytes } = row;
  return {
    ...receivedOf(row),
    headers: KEPT_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [{ name, value }];
    }),
    body,
    isBodyWhole: Buffer.byteLength(body) === bodyBytes,
  };
}
