import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "../context";
import { openAttemptsOf, releaseClaim } from "./claim";
import { recordOutcomes } from "./record-outcomes";

const TRY_AGAIN_MS = 500;
/** Afterwards the sweep has it: the claim's lease has run out. */
const TRIES_MAX = 120;

/**
 * Gives free, in the background, what a claim holds although no call was made for it, because the connection broke
 * between claiming and calling. Attempts that were opened are settled as `retry`: this process knows that it didn't call.
 */
export function abandonClaim(services: Services, token: string): void {
  void (async () => {
    for (let tries = 0; tries < TRIES_MAX && !services.isClosed(); tries++) {
      try {
        await settle(services, token);
        return;
      } catch {
        await pause(TRY_AGAIN_MS);
      }
    }
  })();
}

async function settle(services: Services, token: string): Promise<void> {
  const open = await openAttemptsOf(services, token);
  if (open.length > 0) {
    const detail = { httpStatus: null, upstreamCode: null, reason: "the database went away before the call" };
    await recordOutcomes(
      services,
      open.map((attempt) => ({ ...attempt, outcome: { kind: "retry", detail } })),
    );
  }
  await releaseClaim(services, token);
}
