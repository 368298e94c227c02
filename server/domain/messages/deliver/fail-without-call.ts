import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { Services } from "@/server/core/context";
import type { ErrorCode } from "@/server/platform/errors";
import { notifyEndpoints } from "@/server/domain/webhooks/outbox/store-events";
import { announce } from "../status/announce";
import { countStates } from "../status/count-states";
import { derive, type Evidence } from "../status/derive";
import { appendEvents, lockMessages, type MessageRow, saveMessages } from "../status/message-rows";

interface FailOptions {
  /** Evaluated under the row's lock. */
  readonly mayFail?: (row: MessageRow) => boolean;
  /** Further details for the explanation. */
  readonly detail?: Evidence["detail"];
}

/**
 * Fails messages that are never handed over, or whose outcome stayed unknown: a rule or the clock decides, not a
 * response. Only queued messages change. The work spans organizations; each row has its own.
 * @returns the number of messages that failed.
 */
export async function failWithoutCall(
  services: Services,
  messages: readonly { id: string }[],
  errorCode: ErrorCode,
  { mayFail = (row) => row.inDoubtSince === null, detail = null }: FailOptions = {},
): Promise<number> {
  if (messages.length === 0) return 0;
  const ids = messages.map((message) => message.id);
  const { failing: failed, endpointIds } = await retryOnConflict(() =>
    services.sql.begin(async (tx) => {
      const { rows, now } = await lockMessages(tx, ids);
      const calling = await beingCalled(tx, ids);
      const failing = [...rows.values()]
        .filter((row) => row.state === "queued" && !calling.has(row.id) && mayFail(row))
        .map((row) => {
          const evidence = {
            kind: "failed",
            sourceKey: `waypost:${errorCode}`,
            upstreamAt: null,
            errorCode,
            detail,
          } as const;
          const { columns, events } = derive(row, evidence, now);
          return { message: { ...row, ...columns, inDoubtSince: null }, events };
        });
      await saveMessages(
        tx,
        failing.map(({ message }) => message),
      );
      const timeline = failing.flatMap(({ message, events }) => events.map((event) => ({ message, event })));
      await appendEvents(tx, timeline);
      return { failing, endpointIds: await announce(tx, services, timeline, now) };
    }),
  );
  notifyEndpoints(services, endpointIds);
  countStates(
    services,
    failed.flatMap(({ events }) => events),
  );
  return failed.length;
}

/** Returns messages with an open attempt. None can be added while their row locks are held. */
async function beingCalled(tx: TransactionSql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx<{ id: string }[]>`
    select message_id as id from message_attempts where message_id = any(${[...ids]}::uuid[]) and outcome is null`;
  return new Set(rows.map((row) => row.id));
}
