import type { Inngest } from "inngest";
import { drainChannelFunction } from "./drain-channel";
import type { JobRunner } from "./job-runner";
import { processCallbacksFunction } from "./process-callbacks";
import { sweepFunction } from "./sweep";
import { syncTemplatesFunction } from "./sync-templates";

/** Every function of Waypost. */
export function createFunctions(inngest: Inngest, runner: JobRunner) {
  return [
    drainChannelFunction(inngest, runner),
    processCallbacksFunction(inngest, runner),
    sweepFunction(inngest, runner),
    syncTemplatesFunction(inngest, runner),
  ];
}
