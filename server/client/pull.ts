import { parseEvent } from "./event.js";
import { sleep } from "./network.js";
import { type CallOptions, checkOptions } from "./options.js";
import { asFailure, type Failure, isTemporary, waitMs } from "./retry.js";
import type { Send } from "./transport.js";
import type { Event, Page, WebhookDelivery } from "./types.js";

const IDLE_MS_DEFAULT = 1_000;

export interface PullOptions extends Omit<CallOptions, "maxRetries" | "retryBudgetMs"> {
  /** Where to continue: the last cursor that `saveCursor` got. Default: the oldest event that is kept. */
  cursor?: string | undefined;
  /**
   * Called with the cursor after the events that the loop has finished. Store it, and pass it as `cursor` when the
   * program starts again. A cursor doesn't expire.
   */
  saveCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /** Maximum events that are fetched at once, and come again after a crash. From 1 to 100. Default 50. */
  limit?: number | undefined;
  /** Wait after the last event, before asking for later ones. Default 1,000. */
  idleMs?: number | undefined;
  /**
   * Called for each failure that is waited out, for your log: no connection, too many requests, a 5xx, or an answer that
   * isn't Waypost's. An error that it throws ends the loop.
   */
  onError?: ((error: Failure) => void) | undefined;
}

/**
 * Fetches the events of an endpoint without a URL. Ends when `signal` aborts.
 *
 * A batch is acknowledged (`saveCursor`) when the loop asks for the event after it. A loop that is left earlier, by
 * `break`, an error, or a crash, gets the events of its batch again.
 * @throws WaypostError for a refusal that waiting doesn't change; what `saveCursor` and `onError` throw.
 */
export async function* pullEvents(
  send: Send,
  endpointId: string,
  options: PullOptions = {},
): AsyncGenerator<Event, void, undefined> {
  checkOptions(options);
  const { saveCursor, signal, idleMs = IDLE_MS_DEFAULT } = options;
  let { cursor } = options;
  try {
    for (;;) {
      const { data, next_cursor: next } = await fetchBatch(send, endpointId, cursor, options);
      for (const event of data.flatMap(eventOf)) {
        signal?.throwIfAborted();
        yield event;
      }
      const isAtEnd = next === null || next === cursor;
      if (!isAtEnd) {
        await saveCursor?.(next);
        cursor = next;
      }
      if (isAtEnd || data.length === 0) await sleep(idleMs, signal);
    }
  } catch (error) {
    if (signal?.aborted !== true || error !== signal.reason) throw error;
  }
}

/** The content of an erased event is gone. */
function eventOf({ body }: WebhookDelivery): readonly Event[] {
  const event = typeof body === "string" ? parseEvent(body) : null;
  return event === null ? [] : [event];
}

/** Waits until an outage is over. */
async function fetchBatch(
  send: Send,
  endpointId: string,
  cursor: string | undefined,
  { limit, timeoutMs, signal, onError }: PullOptions,
): Promise<Page<WebhookDelivery>> {
  const query = { order: "oldest", include: "payload", limit, cursor };
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(
        "listDeliveries",
        { path: { id: endpointId }, query },
        { timeoutMs, signal, maxRetries: 0 },
      );
    } catch (error) {
      const failure = asFailure(error);
      if (failure === null || !isTemporary(failure)) throw error;
      onError?.(failure);
      await sleep(waitMs(failure, tries), signal);
    }
  }
}
