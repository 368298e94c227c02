import type { Services } from "@/server/core/context";
import { registerWithSimulator, SimulatorRefused } from "@/server/ops/demo/register";
import { takesCallbacks } from "@/server/platform/served-by";

/**
 * Whether this process registers callback URLs with the simulator. A process that is attached to another leaves that
 * to it.
 */
export function isReportingToSimulator({ config }: Pick<Services, "config">): boolean {
  return takesCallbacks(config.role) && config.attachTo === null;
}

/**
 * Registers the simulated channels with the simulator, where this process has to. Never throws: the service works
 * without a simulator, and failures are logged.
 * @param target.baseUrl where this process listens.
 * @returns a line for the operator: where the simulator runs, or that it doesn't answer and what to do.
 */
export async function reportToSimulator(target: {
  services: Services;
  simulatorUrl: string;
  baseUrl: string;
}): Promise<string> {
  const { services, simulatorUrl } = target;
  const { config, log } = services;
  const isOurs = config.simulator.url === null;
  // A simulator elsewhere may not reach our loopback.
  const baseUrl = isOurs ? target.baseUrl : (config.publicUrl ?? target.baseUrl);
  try {
    const count = isReportingToSimulator(services) ? await registerWithSimulator({ ...target, baseUrl }) : 0;
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
