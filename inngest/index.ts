import type { Inngest } from "inngest";
import { countUsageFunction } from "./count-usage";
import { deliverWebhooksFunction } from "./deliver-webhooks";
import { drainChannelFunction } from "./drain-channel";
import { enforceRetentionFunction } from "./enforce-retention";
import type { JobRunner } from "./job-runner";
import { processCallbacksFunction } from "./process-callbacks";
import { sweepFunction } from "./sweep";
import { sweepHourlyFunction } from "./sweep-hourly";
import { syncTemplatesFunction } from "./sync-templates";

/** Creates all functions of Waypost. */
export function createFunctions(inngest: Inngest, runner: JobRunner) {
  return [
    countUsageFunction(inngest, runner),
    deliverWebhooksFunction(inngest, runner),
    drainChannelFunction(inngest, runner),
    enforceRetentionFunction(inngest, runner),
    processCallbacksFunction(inngest, runner),
    sweepFunction(inngest, runner),
    sweepHourlyFunction(inngest, runner),
    syncTemplatesFunction(inngest, runner),
  ];
}
