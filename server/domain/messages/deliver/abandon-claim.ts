import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "@/server/core/context";
import { unanswered } from "@/server/adapters/whatsapp/answer";
import { type Claim, openAttemptsOf, releaseClaim } from "./claim";
import { recordOutcomes } from "./record-outcomes";

const TRY_AGAIN_MS = 500;
/** Maximum tries. After that, the claim's lease has expired and the sweep releases the message. */
const TRIES_MAX = 120;

/**
 * Runs the work between a claim and its calls. If it throws, the claimed messages are released in the background once
 * the database is available again. Attempts that may have been opened are settled as `retry`, because this process
 * knows that it made no call.
 * @param work makes no call for the claimed messages.
 * @throws what `work` throws.
 */
export async function abandonOnError<T>(
  services: Services,
  claim: Claim,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    void abandon(services, claim);
    throw error;
  }
}

async function abandon(services: Services, claim: Claim): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX && !services.lifecycle.isClosed(); tries++) {
    try {
      await settle(services, claim);
      return;
    } catch {
      await pause(TRY_AGAIN_MS);
    }
  }
}

async function settle(services: Services, claim: Claim): Promise<void> {
  const open = await openAttemptsOf(services, claim);
  if (open.length > 0) {
    const detail = unanswered("the database became unavailable before the call");
    await recordOutcomes(
      services,
      open.map((attempt) => ({ ...attempt, outcome: { kind: "retry", detail } })),
    );
  }
  await releaseClaim(services, claim);
}
