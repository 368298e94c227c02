import type { Services } from "@/server/core/context";
import { registerWithSimulator, SimulatorRefused } from "@/server/ops/demo/register";
import { takesCallbacks } from "@/server/platform/served-by";

/**
 * Returns true if this process registers callback URLs with the simulator. A process that is attached to another leaves
 * that to the other.
 */
export function isReportingToSimulator({ config }: Pick<Services, "config">): boolean {
  return takesCallbacks(config.role) && config.attachTo === null;
}

/**
 * Registers the simulated channels with the simulator, if this process has to. Never throws: the service works without
 * a simulator, and failures are logged.
 * @param target.baseUrl address that this process listens on.
 * @returns a line for the operator: the simulator's address, or that it doesn't respond and what to do.
 */
export async function reportToSimulator(target: {
  services: Services;
  simulatorUrl: string;
  baseUrl: string;
}): Promise<string> {
  const { services, simulatorUrl } = target;
  const { config, log } = services;
  const isOurs = config.simulator.url === null;
  // A simulator on another machine may not reach our loopback address.
  const baseUrl = isOurs ? target.baseUrl : (config.publicUrl ?? target.baseUrl);
  try {
    const count = isReportingToSimulator(services) ? await registerWithSimulator({ ...target, baseUrl }) : 0;
    // Without a channel to register, the simulator was never called.
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
