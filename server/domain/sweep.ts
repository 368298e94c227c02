import type { Services } from "@/server/core/context";
import { probePausedChannels } from "@/server/domain/messages/deliver/probe-channels";
import { MESSAGE_STEPS } from "@/server/domain/messages/sweep";
import { atOnce, runStep, type SweepStep } from "@/server/core/queue/sweep-step";
import { WEBHOOK_STEPS } from "@/server/domain/webhooks/sweep";

const STEPS: readonly SweepStep[] = [
  ...MESSAGE_STEPS,
  ...WEBHOOK_STEPS,
  // The last: it may wait for the upstream.
  { name: "ask paused channels", settle: atOnce(probePausedChannels) },
];

/**
 * Finds what a crash or a lost wake-up left behind, across organizations: claims that ran out, attempts past their
 * deadline, messages that waited too long for confirmation or for their turn, statuses that came before their message,
 * replays that nobody goes on with, and channels and webhook endpoints with something due. Safe to run in any number of
 * processes at once. Never throws.
 * @returns whether every step was taken: false when one failed, or the process stops.
 */
export async function sweepDueWork(services: Services): Promise<boolean> {
  let isWhole = true;
  for (const step of STEPS) isWhole = (await runStep(services, step)) && isWhole;
  return isWhole;
}
