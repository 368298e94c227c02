import { createJobEngine } from "@/inngest/engine";
import { addressOfUrl } from "@/db/address-of-url";
import { migrateDatabase } from "@/db/client";
import { ConfigError, readConfig } from "@/server/platform/config";
import { createLogger } from "@/server/platform/log";
import { startIntakeHeartbeat } from "@/server/domain/poll";
import { createRuntime, type Runtime } from "@/server/boot/runtime";
import { openServices } from "@/server/core/services";

/**
 * Creates the runtime of a process that Next alone has started (`next start`, or a platform that runs nothing else). It
 * needs `DATABASE_URL`. Its jobs are run by an Inngest server, or by other Waypost processes on that database.
 * @throws ConfigError
 */
export async function createStandaloneRuntime(): Promise<Runtime> {
  const appRoot = process.cwd();
  const config = readConfig(process.env, appRoot);
  if (config.databaseUrl === null || config.secret === null) {
    throw new ConfigError([
      "DATABASE_URL and WAYPOST_SECRET must be set where Next runs without `npm start`",
    ]);
  }
  const address = await addressOfUrl(config.databaseUrl);
  await migrateDatabase(address, appRoot);
  const log = createLogger({ level: config.logLevel });
  const engine = createJobEngine({ config, log, runsJobs: false, services: () => opened.services });
  const opened = await openServices({
    config,
    address,
    secret: config.secret,
    log,
    jobs: engine.jobs,
    pools: { name: "next", sql: 8, orm: 2, limits: 2 },
    simulatorUrl: () => config.simulator.url,
  });
  startIntakeHeartbeat(opened.services);
  return createRuntime(opened.services, engine.serve);
}
