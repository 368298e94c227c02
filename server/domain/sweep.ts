import type { Services } from "@/server/core/context";
import { sweepSignIns } from "@/server/domain/auth/sweep";
import { sweepCustomerFiles } from "@/server/domain/customer-files/remove-gone";
import { sweepInboxes } from "@/server/domain/inbox/sweep";
import { notifyDueMarks } from "@/server/domain/messages/marks/due";
import { probePausedChannels } from "@/server/domain/messages/deliver/probe-channels";
import { MESSAGE_STEPS, sweepOldStatuses } from "@/server/domain/messages/sweep";
import { sweepRequests } from "@/server/domain/requests/sweep";
import { sweepUploads } from "@/server/domain/uploads/sweep";
import { atOnce, runStep, type SweepStep } from "@/server/core/queue/sweep-step";
import { forgetEndedSecrets, WEBHOOK_STEPS } from "@/server/domain/webhooks/sweep";

const STEPS: readonly SweepStep[] = [
  ...MESSAGE_STEPS,
  ...WEBHOOK_STEPS,
  { name: "wake channels with marks as read to hand over", settle: atOnce(notifyDueMarks) },
  // Last, because it may wait for the upstream.
  { name: "ask paused channels", settle: atOnce(probePausedChannels) },
];

/**
 * Repairs state after a crash or a lost wake-up, across organizations: expired claims, attempts past their deadline,
 * messages that waited too long for confirmation or for their turn, statuses that arrived before their message, replays
 * that nobody continues, and channels and webhook endpoints with due work or marks as read. Safe to run in any number of processes
 * concurrently. Never throws.
 * @returns whether every step was completed: false if one failed, or if the process stops.
 */
export async function sweepDueWork(services: Services): Promise<boolean> {
  let isWhole = true;
  for (const step of STEPS) isWhole = (await runStep(services, step)) && isWhole;
  return isWhole;
}

/** Does work that is not urgent, and work whose search takes too long for the frequent sweep. */
export async function sweepHourly(services: Services): Promise<void> {
  await sweepOldStatuses(services);
  await sweepUploads(services);
  await sweepCustomerFiles(services);
  await sweepRequests(services);
  await sweepSignIns(services);
  await sweepInboxes(services);
  await forgetEndedSecrets(services);
}
