import type { Services } from "@/server/core/context";
import { removeGoneFiles } from "./remove-gone";

/** Removes what crashes left of customers' files: bytes of erased ones, and incomplete downloads. Never throws. */
export async function sweepCustomerFiles(services: Services): Promise<void> {
  try {
    await services.customerFiles.removeAbandoned();
    await removeGoneFiles(services, null);
  } catch (error) {
    services.log.error({ err: error }, "the sweep of customers' files failed");
  }
}
