import type { TransactionSql } from "@/db/client";
import type { Services } from "@/server/core/context";
import type { StateEventData } from "@/server/domain/webhooks/events/event-schemas";
import { type NewEvent, storeEvents } from "@/server/domain/webhooks/outbox/store-events";
import { keptDetail, type MessageEvent } from "./message-rows";
import { readShape } from "../model/read-shape";

/**
 * Stores a webhook event for each transition of a timeline, in the same transaction.
 * @returns endpoints to notify after the commit, by `notifyEndpoints`.
 */
export function announce(
  tx: TransactionSql,
  services: Pick<Services, "urls">,
  timeline: readonly MessageEvent[],
  now: Date,
): Promise<readonly string[]> {
  return storeEvents(
    tx,
    timeline.flatMap((entry) => stateEvent(services, entry, now) ?? []),
  );
}

const NOT_INBOUND = { sender: null, quotedId: null, file: null } as const;

/** Null if the state didn't change, or if no endpoint of the organization could want the event. */
function stateEvent(
  services: Pick<Services, "urls">,
  { message, event }: MessageEvent,
  now: Date,
): NewEvent | null {
  if (!("sequence" in event) || !message.hasWebhooks) return null;
  const { sequence, previousState, inferred } = event;
  if (sequence === null || previousState === null) return null;
  const { errorDetail } = event.columns;
  const kept = errorDetail === null ? null : keptDetail(errorDetail, message);
  const row = { ...message, ...event.columns, errorDetail: kept, kind: "outbound", ...NOT_INBOUND } as const;
  const data: StateEventData = {
    ...readShape(row, services),
    delivery_state: event.columns.state,
    previous_state: previousState,
    sequence,
    inferred,
  };
  const { id: messageId, organizationId, channelId } = message;
  const subject = { kind: "message", messageId, channelId } as const;
  return { organizationId, type: `message.${event.kind}`, subject, sequence, at: now, data };
}
