import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseUnavailable } from "@/db/errors";
import { createBatcher } from "../batch";
import { perServices, type Services } from "../context";
import { createDrain } from "../drain";
import { callEndpoint } from "./call";
import {
  type ClaimedDelivery,
  claimDeliveries,
  dueAfterNow,
  isClosed,
  organizationOf,
  skipPending,
} from "./claim";
import { type DeliveryResult, recordDeliveries } from "./record";

const SKIP_MS = 1_000;

const drain = createDrain({
  // By organization: however many endpoints one has, half of what is free is for others.
  seat: async (services, endpointId) =>
    services.webhookSlots.join((await organizationOf(services, endpointId)) ?? endpointId),
  start: startCalls,
  dueAfterNow,
  wake: ({ jobs }, endpointId, at) => jobs.wakeEndpoint(endpointId, at),
});

/** Tells a running drain of this process that deliveries to the endpoint are due. False when none runs. */
export const signalDelivery = drain.signal;

/**
 * Delivers what is due to an endpoint. What goes wrong with a delivery is its outcome, never thrown.
 */
export const deliverToEndpoint = drain.run;

async function startCalls(
  services: Services,
  endpointId: string,
  slots: number,
  done: () => void,
): Promise<number> {
  const claimed = await claimDeliveries(services, endpointId, slots);
  for (const delivery of claimed) void deliver(services, delivery).finally(done);
  if (claimed.length === 0 && (await isClosed(services, endpointId))) await skipSome(services, endpointId);
  return claimed.length;
}

/** Slots are held meanwhile: where more waits than a second skips, it asks for another turn. */
async function skipSome(services: Services, endpointId: string): Promise<void> {
  const endsAt = performance.now() + SKIP_MS;
  while (!services.isStopping()) {
    if ((await skipPending(services, endpointId)) === 0) return;
    if (performance.now() > endsAt) return services.jobs.wakeEndpoint(endpointId);
  }
}

/** Never throws. Where the call couldn't be made at all, the claim runs out. */
async function deliver(services: Services, delivery: ClaimedDelivery): Promise<void> {
  try {
    const verdict = await callEndpoint(services, delivery);
    await store(services, { delivery, verdict, isRetried: true });
  } catch (error) {
    services.log.error({ err: error, deliveryId: delivery.id }, "a delivery could not be made");
  }
}

const BATCH_MAX = 100;
const BATCHES_AT_ONCE_MAX = 2;
const STORE_AGAIN_MS = 500;
/** Alone, so often; then the claim runs out, and it is delivered once more. */
const ALONE_TRIES_MAX = 3;

const recorderOf = perServices((services) =>
  createBatcher<DeliveryResult, void>({
    itemsMax: BATCH_MAX,
    inFlightMax: BATCHES_AT_ONCE_MAX,
    run: async (results) => {
      await recordDeliveries(services, results);
      return results.map(() => undefined);
    },
  }),
);

/** While only the database is away the outcome waits in memory: what was delivered is not delivered again for that. */
async function store(services: Services, result: DeliveryResult): Promise<void> {
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
        services.log.error(
          { err: error, deliveryId: result.delivery.id, failures },
          "a delivery could not be stored",
        );
        record = (alone) => recordDeliveries(services, [alone]);
      }
    }
  }
}
