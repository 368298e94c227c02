import { writeRunFile } from "@/db/embedded";
import type { Config } from "@/server/platform/config";
import type { Services } from "@/server/core/context";
import { INBOX_PATH } from "@/server/core/service-urls";
import { updateInboxUrls } from "@/server/domain/inbox/endpoint";
import { firstStart } from "@/server/ops/demo/first-start";
import { greeting } from "@/server/ops/demo/greeting";
import { addMissingDemoTemplates } from "@/server/ops/demo/templates";
import { servedBy, takesCallbacks } from "@/server/platform/served-by";
import type { ProcessDatabase } from "./database";
import type { SimulatorLink } from "./simulator";
import { needsFirstOwner, setupToken } from "@/server/domain/setup/first-owner";
import { syncAllTemplates } from "@/server/domain/templates/claim";
import { versionOf } from "@/server/platform/version";
import { registerWithSimulator, SimulatorRefused } from "@/server/ops/demo/register";

/** Reports the address of this process to the simulator, to other processes and to the operator. */
export async function announce(running: {
  config: Config;
  database: ProcessDatabase;
  simulator: SimulatorLink;
  services: Services;
  baseUrl: string;
}): Promise<void> {
  const { config, database, simulator, services, baseUrl } = running;
  services.log.info(await startFacts(config, baseUrl), "Waypost has started");
  const simulatorUrl = simulator.url();
  const demo = database.owned ? await firstStart({ services, simulatorUrl, baseUrl }) : null;
  if (takesInboxes(config)) {
    await updateInboxUrls(services, database.owned ? baseUrl : (config.publicUrl ?? baseUrl));
  }
  const met = simulatorUrl === null ? null : await reportToSimulator({ services, simulatorUrl, baseUrl });
  if (simulatorUrl !== null && isReportingToSimulator(services)) {
    await addMissingDemoTemplates(services);
    void syncAllTemplates(services, { upstream: "simulator" });
  }
  // Reports a wrong address or password immediately, not only when the first request is let through because of it.
  if (servedBy(config.role, "/api/public/")) void services.limits.probe();
  if (database.owned) {
    await writeRunFile(config.dataDir, {
      kind: "server",
      pid: process.pid,
      postgres: database.owned.connection,
      base_url: baseUrl,
      simulator_url: simulatorUrl,
      started_at: new Date().toISOString(),
    });
  }
  process.stdout.write(`Waypost runs at ${baseUrl}\n`);
  if (met !== null) process.stdout.write(`${met}\n`);
  if (demo) process.stdout.write(`\n${greeting(demo)}\n`);
  else if (servedBy(config.role, "/")) await announceFirstOwner(services, config.publicUrl ?? baseUrl);
}

/** Returns true if the demo's webhook inboxes are at this process. A process that is attached to another has none. */
function takesInboxes({ role, attachTo }: Config): boolean {
  return attachTo === null && servedBy(role, `${INBOX_PATH}/`);
}

/** Prints how to create the first owner, if no one can sign in yet. */
async function announceFirstOwner(services: Services, baseUrl: string): Promise<void> {
  if (!(await needsFirstOwner(services))) return;
  process.stdout.write(
    `\nNobody can sign in yet. Create the first owner with this link, which works once:\n\n  ${baseUrl}/setup#${setupToken(services)}\n\n`,
  );
}

/** Facts about the process, for the log. */
async function startFacts(config: Config, baseUrl: string) {
  const { appRoot, role, databaseUrl, attachTo, limiter, inngest } = config;
  return {
    pid: process.pid,
    version: await versionOf(appRoot),
    node: process.version,
    role,
    baseUrl,
    database: databaseUrl !== null ? "DATABASE_URL" : attachTo !== null ? "attached" : "embedded",
    limiter: limiter.kind,
    executor: inngest === null ? "embedded" : "inngest",
    sinceStartMs: Math.round(performance.now()),
  };
}

/**
 * Returns true if this process registers callback URLs with the simulator. A process that is attached to another leaves
 * that to the other.
 */
function isReportingToSimulator({ config }: Pick<Services, "config">): boolean {
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
    log.warn({ err: error }, "registering the channels with the simulator failed");
    const words =
      error instanceof SimulatorRefused
        ? error.message
        : `The channels could not be registered with the simulator at ${simulatorUrl}`;
    return `${words}. Simulated channels send nothing: ${isOurs ? "see the log" : "start it, or mend WAYPOST_SIMULATOR_URL"}, and start Waypost again.`;
  }
}
