import { isDatabaseUnavailable } from "@/db/errors";
import type { SystemActor } from "@/server/core/actor";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context, Services } from "@/server/core/context";
import { organizationsDue, unfinishedErasures } from "./claim";
import { oldCallbacks, oldUnmatchedStatuses } from "./old-callbacks";
import { oldContacts } from "./old-contacts";
import { oldMessages } from "./old-messages";
import { oldAvailable, oldWebhooks } from "./old-webhooks";
import type { Step } from "./step";

const RUN_MS = 10_000;

const STEPS = [
  oldMessages,
  oldContacts,
  oldCallbacks,
  oldUnmatchedStatuses,
  oldWebhooks,
  oldAvailable,
] as const;

/**
 * Erases everything past its organization's retention time, and completes erasures of contacts. Works in batches until
 * nothing is left or the time is over. After a crash the next run continues, and two concurrent processes do no harm.
 * @returns true if more may be left, so that the next run should start immediately.
 */
export async function enforceRetention(services: Services, { runMs = RUN_MS } = {}): Promise<boolean> {
  const endsAt = performance.now() + runMs;
  await finishErasures(services);
  const due = await organizationsDue(services.sql);
  const queue = due.map(({ organizationId, retentionDays }) => {
    const ctx = systemContext(services, organizationId);
    return { organizationId, steps: STEPS.map((step) => step(ctx, retentionDays)), erased: 0 };
  });
  // One batch per organization in turn, so that a large one doesn't delay the others.
  for (let run = queue.shift(); run !== undefined && !services.lifecycle.isStopping(); run = queue.shift()) {
    const { organizationId } = run;
    const turn = await takeTurn(services, organizationId, run.steps);
    const erased = run.erased + turn.erased;
    if (turn.steps.length > 0) queue.push({ organizationId, steps: turn.steps, erased });
    else if (erased > 0) services.log.info({ organizationId, erased }, "what was old is erased");
    if (queue.length > 0 && performance.now() > endsAt) return true;
  }
  return false;
}

/** Runs one batch of each step. @returns the steps that have more. A failed step is not repeated in this run. */
async function takeTurn(
  services: Services,
  organizationId: string,
  steps: readonly Step[],
): Promise<{ steps: Step[]; erased: number }> {
  const left: Step[] = [];
  let erased = 0;
  for (const step of steps) {
    try {
      const batch = await step();
      erased += batch.erased;
      if (batch.isMore) left.push(step);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      services.log.error({ err: error, organizationId }, "what is old could not be erased");
    }
  }
  return { steps: left, erased };
}

async function finishErasures(services: Services): Promise<void> {
  for (const { organizationId, contactId } of await unfinishedErasures(services.sql)) {
    await eraseContact({ ctx: systemContext(services, organizationId), input: { contactId } });
  }
}

function systemContext(services: Services, organizationId: string): Context<SystemActor> {
  return { services, actor: { kind: "system", organizationId, job: "retention" }, requestId: null };
}
