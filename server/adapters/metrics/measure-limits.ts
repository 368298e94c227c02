import { isWaypostError } from "@/server/platform/errors";
import type { Metrics } from "./metrics";
import type { Limits } from "@/server/adapters/limits/limits";

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
