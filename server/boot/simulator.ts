import path from "node:path";
import type { Logger } from "pino";
import type { Closers } from "@/server/lib/closers";
import { type Config, ConfigError } from "@/server/platform/config";
import { type Simulator, startSimulator } from "@/server/simulator/start";
import type { ProcessDatabase } from "./database";
import type { OwnerLink } from "./owner";

/** The simulator that serves the simulated channels. */
export interface SimulatorLink {
  /** Null if there is none. */
  readonly url: () => string | null;
}

/**
 * Finds the simulator of this process: a separate one (`WAYPOST_SIMULATOR_URL`), or else one that the owner of the data
 * directory starts on its own loopback port. Attached processes get its address from the owner.
 */
export async function findSimulator(
  config: Config,
  { database, owner }: { database: ProcessDatabase; owner: OwnerLink | null },
  log: Logger,
  closers: Closers,
): Promise<SimulatorLink> {
  const { url, port } = config.simulator;
  if (url !== null) return { url: () => url };
  if (owner !== null) return { url: owner.simulatorUrl };
  if (database.owned === null) return { url: () => null };
  const directory = path.join(config.dataDir, "simulator");
  const start = () => startSimulator({ directory, port, log: log.child({ part: "simulator" }) });
  const stop = (running: Simulator) => running.stop();
  const simulator = await closers.open(start, stop).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new ConfigError([
      `WAYPOST_SIMULATOR_PORT: ${port} is in use. Set it to a free one, or leave it out.`,
    ]);
  });
  return { url: () => simulator.url };
}
