import type { Services } from "@/server/core/context";
import { createDrain, type Started } from "@/server/core/queue/drain";
import { createOutcomeStore } from "@/server/core/queue/outcome-store";
import { newCalls } from "@/server/lib/new-calls";
import { callEndpoint } from "./call";
import {
  type ClaimedDelivery,
  claimDeliveries,
  deliveriesInFlight,
  queueState,
  isClosed,
  organizationOf,
  skipPending,
} from "./claim";
import { type DeliveryResult, recordDeliveries } from "./record";

const SKIP_MS = 1_000;

const drain = createDrain({
  // By organization: however many endpoints it has, half of the free permits stay for others.
  permits: async (services, endpointId) =>
    services.concurrency.webhooks.join((await organizationOf(services, endpointId)) ?? endpointId),
  start: startCalls,
  queueState,
  notify: ({ jobs }, endpointId, at) => jobs.notifyEndpoint(endpointId, at),
});

/** Notifies a running drain of this process that deliveries to the endpoint are due. False if none runs. */
export const signalDelivery = drain.signal;

/** Makes the due deliveries to an endpoint. A problem with a delivery becomes its outcome and is never thrown. */
export const deliverToEndpoint = drain.run;

async function startCalls(services: Services, endpointId: string, permitCount: number): Promise<Started> {
  await newCalls.allowed();
  const claimed = await claimDeliveries(services, endpointId, permitCount);
  const calls = claimed.map((delivery) =>
    deliveriesInFlight.during(services, delivery.id, () => deliver(services, delivery)),
  );
  if (claimed.length === 0 && (await isClosed(services, endpointId))) await skipSome(services, endpointId);
  return { calls, isQueueEmpty: claimed[0]?.isQueueEmpty ?? false };
}

/** Skips waiting deliveries for at most one second, because the drain holds permits meanwhile. If deliveries are left, it requests another run. */
async function skipSome(services: Services, endpointId: string): Promise<void> {
  const endsAt = performance.now() + SKIP_MS;
  while (!services.lifecycle.isStopping()) {
    if ((await skipPending(services, endpointId)) === 0) return;
    if (performance.now() > endsAt) return services.jobs.notifyEndpoint(endpointId);
  }
}

/**
 * Never throws. If the call couldn't be made at all, the claim expires.
 * @returns true if it was delivered. Otherwise it may be due again.
 */
async function deliver(services: Services, delivery: ClaimedDelivery): Promise<boolean> {
  try {
    const attemptResult = await callEndpoint(services, delivery);
    await store(services, { delivery, attemptResult, isRetried: true });
    return attemptResult.errorClass === null;
  } catch (error) {
    services.log.error({ err: error, deliveryId: delivery.id }, "a webhook delivery failed unexpectedly");
    return false;
  }
}

/** If an outcome can't be stored at all, its claim expires, and the delivery is made once more. */
const store = createOutcomeStore<DeliveryResult>({
  record: recordDeliveries,
  failure: "storing the outcome of a delivery attempt failed",
  idsOf: ({ delivery }) => ({ deliveryId: delivery.id }),
});
