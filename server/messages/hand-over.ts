import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseUnavailable } from "@/db/errors";
import { createBatcher } from "../batch";
import { callerOf } from "../channels/caller";
import { perServices, type Services } from "../context";
import { type CallOutcome, unanswered } from "../whatsapp/answer";
import { joinFailures } from "./join-failures";
import { joinUnmatched } from "./join-unmatched";
import type { OpenedAttempt } from "./open-attempts";
import { outboundMessage } from "./outbound-message";
import { type AttemptResult, recordOutcomes } from "./record-outcomes";

/** A permission older than this is not used: the process may have slept, and the lease gone to another. */
const PERMISSION_MAX_MS = 5_000;
const STORE_AGAIN_MS = 500;

/** Makes the call that an attempt row permits, and stores what it came to. Never throws. */
export async function handOver(
  services: Services,
  attempt: OpenedAttempt,
  openedAtMs: number,
): Promise<void> {
  const isLate = performance.now() - openedAtMs > PERMISSION_MAX_MS;
  const tooLate = { kind: "retry", detail: unanswered("the permission to call was too old") } as const;
  const outcome = isLate ? tooLate : await call(services, attempt);
  const { attemptId, messageId, isMediaIdReused } = attempt;
  await store(services, { attemptId, messageId, outcome, isMediaIdReused });
  if (outcome.kind === "accepted") await join(services, () => joinerOf(services)(outcome.upstreamId));
  if (outcome.kind === "uncertain") await join(services, () => joinFailures(services));
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
    callbackData: attempt.messageId,
  });
}

const BATCH_MAX = 100;
const IN_FLIGHT_MAX = 2;

const recorderOf = perServices((services) =>
  createBatcher<AttemptResult, void>({
    itemsMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    run: async (results) => {
      await recordOutcomes(services, results);
      return results.map(() => undefined);
    },
  }),
);

/** Alone, so often: two answers that are at odds with each other (one wamid twice) no longer are once one is stored. */
const ALONE_TRIES_MAX = 3;

/**
 * While only the database is away the answer waits in memory: losing it would put the message in doubt. A batch that
 * failed for one of its results is stored one by one; what still fails is in doubt after its deadline.
 */
async function store(services: Services, result: AttemptResult): Promise<void> {
  const { messageId } = result;
  let record = recorderOf(services);
  for (let failures = 0; failures <= ALONE_TRIES_MAX;) {
    try {
      return await record(result);
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        if (services.isClosed()) return;
        await pause(STORE_AGAIN_MS);
      } else {
        failures += 1;
        services.log.error({ err: error, messageId, failures }, "an outcome could not be stored");
        record = (alone) => recordOutcomes(services, [alone]);
      }
    }
  }
}

async function join(services: Services, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    services.log.warn({ err: error }, "kept statuses could not be joined; the sweep will");
  }
}

const joinerOf = perServices((services) =>
  createBatcher<string, void>({
    itemsMax: BATCH_MAX,
    inFlightMax: 1,
    run: async (upstreamIds) => {
      await joinUnmatched(services, upstreamIds);
      return upstreamIds.map(() => undefined);
    },
  }),
);
