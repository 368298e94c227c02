import type { Services } from "@/server/core/context";
import { FAILURE_CODES } from "@/server/platform/errors";
import { METRICS } from "@/server/adapters/metrics/catalogue";
import type { TimelineEvent } from "./message-rows";

const STATES = METRICS.waypost_message_states_total.labels.state;

/** Counts the messages' new states, after the commit. Events that only appear on the timeline don't count. */
export function countStates({ metrics }: Pick<Services, "metrics">, events: Iterable<TimelineEvent>): void {
  for (const event of events) {
    if (!("sequence" in event) || event.sequence === null) continue;
    const state = STATES.find((one) => one === event.kind);
    if (state === undefined) continue;
    metrics.count("waypost_message_states_total", { state });
    const { errorCode } = event;
    if (state === "failed" && errorCode !== null && FAILURE_CODES.includes(errorCode)) {
      metrics.count("waypost_messages_failed_total", { code: errorCode });
    }
  }
}
