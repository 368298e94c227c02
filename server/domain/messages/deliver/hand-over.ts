import { createBatcher } from "@/server/lib/batch";
import { callerOf } from "@/server/domain/channels/caller";
import { perServices, type Services } from "@/server/core/context";
import { createOutcomeStore } from "@/server/core/queue/outcome-store";
import { createInFlight } from "@/server/core/queue/in-flight";
import { type CallOutcome, unanswered } from "@/server/adapters/whatsapp/answer";
import { joinUnmatched, joinFailures } from "../status/join-kept";
import type { OpenedAttempt } from "./open-attempts";
import { outboundMessage } from "./outbound-message";
import { type CallResult, recordOutcomes } from "./record-outcomes";

/** An older permission isn't used: the process may have been suspended, and the lease taken by another one. */
const PERMISSION_MAX_MS = 5_000;

/** By attempt id. */
const callsInFlight = createInFlight();

/** Returns the ids of the attempts that this process will settle itself. */
export const attemptsInFlight = (services: Services): string[] => callsInFlight.ids(services);

/**
 * Makes the call that an attempt row permits, and stores its outcome. Never throws.
 * @returns true if the upstream has the message. Otherwise it may be due again.
 */
export function handOver(services: Services, attempt: OpenedAttempt, openedAtMs: number): Promise<boolean> {
  return callsInFlight.during(services, attempt.attemptId, () => callAndStore(services, attempt, openedAtMs));
}

async function callAndStore(
  services: Services,
  attempt: OpenedAttempt,
  openedAtMs: number,
): Promise<boolean> {
  const isLate = performance.now() - openedAtMs > PERMISSION_MAX_MS;
  const tooLate = { kind: "retry", detail: unanswered("the permission to call was too old") } as const;
  const outcome = isLate ? tooLate : await call(services, attempt);
  const { attemptId, messageId, isMediaIdReused } = attempt;
  await store(services, { attemptId, messageId, outcome, isMediaIdReused });
  if (outcome.kind === "accepted") await join(services, () => joinerOf(services)(outcome.upstreamId));
  if (outcome.kind === "uncertain") await join(services, () => joinFailures(services));
  return outcome.kind === "accepted";
}

async function call(services: Services, attempt: OpenedAttempt): Promise<CallOutcome> {
  const caller = callerOf(services, attempt.channel);
  if ("kind" in caller) return caller;
  const message = outboundMessage(attempt);
  if (message === null) {
    const detail = unanswered("the message has nothing that could be sent");
    return { kind: "rejected", code: "upstream_rejected", detail };
  }
  return services.whatsapp.send({
    ...caller,
    to: attempt.recipient,
    message,
    // A reaction names its message itself.
    quotedId: attempt.type === "reaction" ? null : attempt.referencedUpstreamId,
    callbackData: attempt.messageId,
  });
}

/** If the outcome can't be stored at all, the attempt is in doubt after its deadline. */
const store = createOutcomeStore<CallResult>({
  record: recordOutcomes,
  failure: "storing the outcome of a send attempt failed",
  idsOf: ({ messageId }) => ({ messageId }),
});

async function join(services: Services, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    services.log.warn({ err: error }, "applying stored statuses to their messages failed: the sweep retries");
  }
}

const JOINED_MAX = 100;

const joinerOf = perServices((services) =>
  createBatcher<string, void>({
    itemsMax: JOINED_MAX,
    inFlightMax: 1,
    run: async (upstreamIds) => {
      await joinUnmatched(services, upstreamIds);
      return upstreamIds.map(() => undefined);
    },
  }),
);
