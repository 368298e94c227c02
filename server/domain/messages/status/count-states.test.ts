import { expect, test } from "vitest";
import { createMetrics } from "@/server/adapters/metrics/metrics";
import { countStates } from "./count-states";
import type { TimelineEvent } from "./message-rows";

const columns = {
  state: "sent",
  eventSequence: 1,
  errorCode: null,
  errorDetail: null,
  createdAt: new Date(),
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
} as const;

const event = (fields: Partial<Extract<TimelineEvent, { sequence: unknown }>>): TimelineEvent => ({
  kind: "sent",
  sourceKey: "callback:wamid.1",
  sequence: 1,
  previousState: "queued",
  inferred: false,
  upstreamAt: null,
  errorCode: null,
  detail: null,
  columns,
  ...fields,
});

test("what moved a message is counted by its state, a failure by its code too, and what is timeline only isn't", async () => {
  const metrics = createMetrics();
  countStates({ metrics }, [
    event({}),
    event({ kind: "delivered", inferred: true }),
    event({ kind: "delivered", sequence: null }),
    event({ kind: "failed", errorCode: "upstream_rejected" }),
    event({ kind: "failed", errorCode: "upstream_rejected", sequence: null }),
    { kind: "retry", sourceKey: "attempt:1", detail: null },
  ]);
  const text = await metrics.text();
  expect(text).toContain('waypost_message_states_total{state="sent"} 1');
  expect(text).toContain('waypost_message_states_total{state="delivered"} 1');
  expect(text).toContain('waypost_message_states_total{state="failed"} 1');
  expect(text).toContain('waypost_messages_failed_total{code="upstream_rejected"} 1');
});
