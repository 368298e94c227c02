import type { WhatsAppClient } from "@/server/adapters/whatsapp/client";
import { isWaypostError } from "@/server/platform/errors";
import type { Limits } from "@/server/adapters/limits/limits";
import type { LabelsOf } from "./catalogue";
import type { Metrics } from "./metrics";

type Call = LabelsOf<"waypost_upstream_calls_total">;

/** Counts a call that began at `startedAtMs` (`performance.now()`) and has ended now. */
export function countCall(metrics: Metrics, call: Call, startedAtMs: number): void {
  const { operation } = call;
  metrics.count("waypost_upstream_calls_total", call);
  metrics.observe(
    "waypost_upstream_call_duration_seconds",
    { operation },
    (performance.now() - startedAtMs) / 1000,
  );
}

/** Wraps a client so that its calls are counted and timed. */
export function measureCalls(client: WhatsAppClient, metrics: Metrics): WhatsAppClient {
  return {
    async send(call) {
      const startedAtMs = performance.now();
      const outcome = await client.send(call);
      countCall(metrics, { operation: "send", outcome: outcome.kind }, startedAtMs);
      return outcome;
    },
    async markRead(call) {
      const startedAtMs = performance.now();
      const outcome = await client.markRead(call);
      countCall(metrics, { operation: "mark_read", outcome: outcome.kind }, startedAtMs);
      return outcome;
    },
    async readNumber(caller) {
      const startedAtMs = performance.now();
      const answer = await client.readNumber(caller);
      const isRefused = answer.kind === "unreadable" && answer.detail.upstreamCode !== null;
      const failed = isRefused ? "rejected" : "retry";
      const outcome = answer.kind === "unreadable" ? failed : "accepted";
      countCall(metrics, { operation: "read_number", outcome }, startedAtMs);
      return answer;
    },
    close: () => client.close(),
  };
}

/** Wraps limits so that their refusals are counted. */
export function measureLimits(limits: Limits, metrics: Metrics): Limits {
  return {
    ...limits,
    async take(subject, bucket, limit) {
      try {
        return await limits.take(subject, bucket, limit);
      } catch (error) {
        const isRateLimited = isWaypostError(error) && error.code === "rate_limited";
        if (isRateLimited) metrics.count("waypost_rate_limit_refusals_total", { bucket });
        throw error;
      }
    },
  };
}
