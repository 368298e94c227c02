import type { Logger } from "pino";
import type { DatabaseAddress } from "@/db/client";
import type { Config } from "../config";
import type { Jobs } from "../jobs";
import { openServices as openServicesWith, type OpenServices } from "../services";

/** A command wakes nobody: whoever runs jobs looks for due rows by itself. */
const NO_JOBS: Jobs = { wakeChannel: () => undefined, wakeCallbacks: () => undefined };

/**
 * What verbs need, over a few connections, for a process that serves no requests and runs no jobs.
 * @throws SecretMismatch when the database was made under another secret.
 */
export function openServices(options: {
  config: Config;
  address: DatabaseAddress;
  secret: string;
  log: Logger;
}): Promise<OpenServices> {
  return openServicesWith({
    ...options,
    jobs: NO_JOBS,
    pools: { name: "cli", sql: 4, orm: 4, limits: 1 },
    simulatorUrl: () => options.config.simulator.url,
  });
}
