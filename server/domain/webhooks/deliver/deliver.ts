import type { Services } from "@/server/core/context";
import { createDrain } from "@/server/core/queue/drain";
import { createOutcomeStore } from "@/server/core/queue/outcome-store";
import { callEndpoint } from "./call";
import {
  type ClaimedDelivery,
  claimDeliveries,
  deliveriesInFlight,
  dueAfterNow,
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
  dueAfterNow,
  notify: ({ jobs }, endpointId, at) => jobs.notifyEndpoint(endpointId, at),
});

/** Notifies a running drain of this process that deliveries to the endpoint are due. False if none runs. */
export const signalDelivery = drain.signal;

/** Makes the due deliveries to an endpoint. A problem with a delivery becomes its outcome and is never thrown. */
export const deliverToEndpoint = drain.run;

async function startCalls(
  services: Services,
  endpointId: string,
  permitCount: number,
  done: () => void,
): Promise<number> {
  const claimed = await claimDeliveries(services, endpointId, permitCount);
  for (const delivery of claimed)
    void deliveriesInFlight.during(services, delivery.id, () => deliver(services, delivery)).finally(done);
  if (claimed.length === 0 && (await isClosed(services, endpointId))) await skipSome(services, endpointId);
  return claimed.length;
}

/** Skips waiting deliveries for at most one second, because the drain holds permits meanwhile. If deliveries are left, it requests another run. */
async function skipSome(services: Services, endpointId: string): Promise<void> {
  const endsAt = performance.now() + SKIP_MS;
  while (!services.lifecycle.isStopping()) {
    if ((await skipPending(services, endpointId)) === 0) return;
    if (performance.now() > endsAt) return services.jobs.notifyEndpoint(endpointId);
  }
}

/** Never throws. If the call couldn't be made at all, the claim expires. */
async function deliver(services: Services, delivery: ClaimedDelivery): Promise<void> {
  try {
    const attemptResult = await callEndpoint(services, delivery);
    await store(services, { delivery, attemptResult, isRetried: true });
  } catch (error) {
    services.log.error({ err: error, deliveryId: delivery.id }, "a webhook delivery failed unexpectedly");
  }
}

/** If an outcome can't be stored at all, its claim expires, and the delivery is made once more. */
const store = createOutcomeStore<DeliveryResult>({
  record: recordDeliveries,
  failure: "storing the outcome of a delivery attempt failed",
  idsOf: ({ delivery }) => ({ deliveryId: delivery.id }),
});
