import type { Services } from "@/server/core/context";
import { registerWithSimulator, SimulatorRefused } from "@/server/ops/demo/register";
import { takesCallbacks } from "@/server/platform/served-by";

/** Whether this process tells the simulator where callbacks go: the one that it attached itself to did. */
export function tellsSimulator({ config }: Pick<Services, "config">): boolean {
  return takesCallbacks(config.role) && config.attachTo === null;
}

/**
 * Tells the simulator of the simulated channels, where that is for this process to do. Never throws: the service works
 * without one, and the log has the failure.
 * @param told.baseUrl where this process listens.
 * @returns for the operator: where it runs, or that it doesn't answer there and what to do.
 */
export async function tellSimulator(told: {
  services: Services;
  simulatorUrl: string;
  baseUrl: string;
}): Promise<string> {
  const { services, simulatorUrl } = told;
  const { config, log } = services;
  const isOurs = config.simulator.url === null;
  // A simulator elsewhere may not reach our loopback.
  const baseUrl = isOurs ? told.baseUrl : (config.publicUrl ?? told.baseUrl);
  try {
    const count = tellsSimulator(services) ? await registerWithSimulator({ ...told, baseUrl }) : 0;
    // Without a channel to tell of it was never called.
    return `WhatsApp simulator ${isOurs || count > 0 ? "runs" : "is expected"} at ${simulatorUrl}`;
  } catch (error) {
    log.warn({ err: error }, "the simulator could not be told of the channels");
    const words =
      error instanceof SimulatorRefused
        ? error.message
        : `The simulator at ${simulatorUrl} could not be told of the channels`;
    return `${words}. Simulated channels send nothing: ${isOurs ? "see the log" : "start it, or mend WAYPOST_SIMULATOR_URL"}, and start Waypost again.`;
  }
}
