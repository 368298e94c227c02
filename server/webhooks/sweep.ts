import type { Services } from "../context";
import { dueEndpoints } from "./claim";

/** Wakes every endpoint that has something due. */
export async function wakeDueEndpoints(services: Services): Promise<void> {
  for (const endpointId of await dueEndpoints(services)) services.jobs.wakeEndpoint(endpointId);
}
