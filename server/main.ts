import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createJobEngine, type JobEngine } from "@/inngest/engine";
import { migrateDatabase } from "@/db/client";
import { makeClockMovable, resetRestoredClock } from "@/db/movable-clock";
import { createClosers, type Closers } from "@/server/lib/closers";
import { type Config, readConfig } from "@/server/platform/config";
import type { Services } from "@/server/core/context";
import { closeServer, listen } from "@/server/edge/http/listen";
import { createPages } from "@/server/edge/http/pages";
import { takesCallbacks } from "@/server/platform/served-by";
import { createHttpServer, type HttpOptions } from "@/server/edge/http/server";
import { followClock } from "@/server/ops/demo/follow-clock";
import { openMetricsMount } from "@/server/ops/metrics/mount";
import { openDatabase, type ProcessDatabase } from "@/server/boot/database";
import { failureText } from "@/server/boot/failure";
import { boundGarbage } from "@/server/boot/heap";
import { onceStarted } from "@/server/lib/once-started";
import { followOwner } from "@/server/boot/owner";
import { createReadiness } from "@/server/boot/readiness";
import { findSimulator } from "@/server/boot/simulator";
import { waitAtMost, type GracefulStop, stopOnSignals } from "@/server/lib/graceful-stop";
import { warnWhenNobodySends } from "@/server/boot/warn-when-nobody-sends";
import { createObservability, endOnUncaught } from "@/server/boot/observability";
import { unknownVariables } from "@/server/boot/unknown-variables";
import { startIntakeHeartbeat, startJobHeartbeat } from "@/server/domain/poll";
import { createRuntime, type Runtime } from "@/server/boot/runtime";
import { type OpenServices, openServices, type ServicesOptions } from "@/server/core/services";
import { announce } from "@/server/boot/announce";
import { createSetOnce } from "@/server/lib/set-once";

export interface MainOptions {
  /** Directory with the migrations and Next's pages. */
  readonly appRoot: string;
  /** Next's build directory. `next.config.js` reads it from the environment. */
  readonly distDir: string;
  readonly argv: readonly string[];
  readonly dev?: boolean;
}

/** Runs Waypost until a signal ends it. If it can't start, it prints the reason and exits with code 1. */
export async function main(options: MainOptions): Promise<void> {
  boundGarbage();
  const closers = createClosers();
  const stop = stopOnSignals(closers);
  try {
    await start(options, closers, stop);
  } catch (error) {
    if (stop.isInProgress()) return;
    process.stderr.write(`${failureText(error, process.env)}\n`);
    await closers.closeAll();
    process.exit(1);
  }
}

/**
 * Runs the phases of a start in order; each uses the resources of the earlier ones. Resources are closed in reverse
 * order, PostgreSQL last.
 */
async function start(options: MainOptions, closers: Closers, stop: GracefulStop): Promise<void> {
  const prepared = prepare(options, closers, stop);
  const data = await openData(prepared);
  const program = await openProgram(prepared, data);
  const baseUrl = await serve(prepared, data, program);
  if (isSimulated(prepared.config)) {
    const { services, runsJobs } = program;
    const following = { services, runsJobs, simulatorUrl: data.simulator.url, name: `Waypost at ${baseUrl}` };
    closers.add(followClock(following).stop);
  }
  await announce({ ...prepared, ...data, services: program.services, baseUrl });
  if (!program.runsJobs) closers.add(warnWhenNobodySends(program.services, printLine).stop);
}

/** Returns true if there may be a simulator: always, except for an own database without one. */
const isSimulated = ({ databaseUrl, simulator }: Config) => databaseUrl === null || simulator.url !== null;

type PreparedProcess = ReturnType<typeof prepare>;
type OpenData = Awaited<ReturnType<typeof openData>>;
type OpenProgram = Awaited<ReturnType<typeof openProgram>>;

const printLine = (line: string) => process.stdout.write(`${line}\n`);

/** Reads the configuration and opens log and metrics. Next prepares the pages in parallel. */
function prepare({ appRoot, dev = false }: MainOptions, closers: Closers, stop: GracefulStop) {
  const config = readConfig(process.env, appRoot);
  stop.lengthenBy(Math.max(0, config.drainMs - DRAIN_INCLUDED_MS));
  for (const line of unknownVariables(process.env)) process.stderr.write(`waypost: ${line}\n`);
  const { log, metrics, outages } = createObservability({ level: config.logLevel });
  stop.logTo(log);
  endOnUncaught(log);
  const pages = preparePages(config, log, dev);
  // Awaited by `serve`. Until then, its failure must not end the process.
  pages.catch(() => undefined);
  return { config, dev, closers, stop, log, metrics, outages, pages };
}

/**
 * Opens and migrates the database. Finds the owner of the data directory, if this process isn't the owner, and the
 * simulator.
 */
async function openData({ config, closers, log }: PreparedProcess) {
  const database = await openMigrated(config, log, closers);
  const owner = config.attachTo === null ? null : await followOwner(database, closers);
  const simulator = await findSimulator(config, { database, owner }, log, closers);
  return { database, owner, simulator };
}

/** Opens services, jobs and runtime. They get the process's own address when it listens. */
async function openProgram({ config, closers, log, metrics, outages }: PreparedProcess, data: OpenData) {
  const { database, owner, simulator } = data;
  const runsJobs = config.role === "all" || config.role === "jobs";
  const ownUrl = createSetOnce<string>();
  const lateServices = createSetOnce<Services>();
  const engine = createJobEngine({
    config,
    log,
    runsJobs,
    services: lateServices.require,
    ownUrl: ownUrl.get,
  });
  const options: ServicesOptions = {
    config,
    address: database.address,
    secret: database.secret,
    log,
    metrics,
    jobs: engine.jobs,
    pools: { name: "server", sql: 12, orm: 4, limits: 4 },
    simulatorUrl: simulator.url,
    processUrl: ownUrl.get,
    ownerUrl: owner?.baseUrl,
  };
  const opened = await closers.open(
    () => openServices(options),
    ({ close }) => close(),
  );
  const { services } = opened;
  lateServices.set(services);
  const runtime = createRuntime(services, engine.serve);
  closers.add(runtime.close);
  closers.add(outages.watch(log, () => services.sql`select 1`).stop);
  globalThis.__waypost = runtime;
  return { services, opened, runtime, engine, runsJobs, ownUrl };
}

/** Listens, and starts the jobs. @returns the process's own address. */
async function serve(
  prepared: PreparedProcess,
  { database }: OpenData,
  program: OpenProgram,
): Promise<string> {
  const { config, closers, stop, dev } = prepared;
  const { runtime, engine, opened, services } = program;
  const server = await createServer({ runtime, database, closers, next: await prepared.pages, dev });
  const port = await listen(server, config.port, config.host);
  const baseUrl = `http://${localHost(config.host)}:${port}`;
  program.ownUrl.set(baseUrl);
  const jobs = startJobs(services, engine, program.runsJobs);
  closers.add(() => waitAtMost(SIGNALS_SENT_MS_MAX, engine.sent()));
  // A person who pressed Ctrl-C is waiting, and no longer sends requests here.
  closers.add(() => leave({ server, opened, jobs, graceMs: stop.isByHand() ? 0 : config.drainMs }));
  return baseUrl;
}

/** Logs how long the start has taken up to a phase, in whole milliseconds since the process began. */
function reached(log: Logger, phase: string): void {
  log.debug({ sinceStartMs: sinceStartMs() }, phase);
}

const sinceStartMs = () => Math.round(performance.now());

async function openMigrated(config: Config, log: Logger, closers: Closers): Promise<ProcessDatabase> {
  const database = await openDatabase(config, log, closers);
  reached(log, "the database is there");
  const migrated = () =>
    closers.open(
      async () => {
        await migrateDatabase(database.address, config.appRoot);
        if (database.owned !== null) await makeClockMovable(database.address);
        else if (config.databaseUrl !== null) await resetRestoredClock(database.address);
      },
      async () => undefined,
    );
  await onceStarted(log, migrated);
  reached(log, "the schema is up to date");
  return database;
}

async function createServer(parts: {
  runtime: Runtime;
  database: ProcessDatabase;
  closers: Closers;
  next: HttpOptions["next"];
  dev: boolean;
}): Promise<Server> {
  const { runtime, database, closers, next, dev } = parts;
  const { services } = runtime;
  const readiness = createReadiness(services);
  const postgresRestarts = database.owned?.restarts ?? (() => 0);
  const metrics = await openMetricsMount({ services, readiness, postgresRestarts });
  closers.add(metrics.stop);
  return createHttpServer({ runtime, next, readiness, metrics, isDevelopment: dev });
}

/** Prepares Next while the database starts. A process that serves none of its pages skips that. */
async function preparePages(config: Config, log: Logger, dev: boolean) {
  if (config.role === "jobs" || (config.role === "api" && config.publicApiMount === "node")) {
    return () => Promise.reject(new Error("This process has no pages"));
  }
  const app = createPages({ appRoot: config.appRoot, dev });
  await app.prepare();
  reached(log, "the pages are prepared");
  return app.getRequestHandler();
}

/** Time for jobs and calls in progress to end. Requests have their own time, in parallel. */
const WORK_ENDS_MAX_MS = 20_000;
/** The standard time of a stop includes a drain of this length, and the work that ends after it. */
const DRAIN_INCLUDED_MS = 5_000;
/** Time limit for sending one wake-up. */
const SIGNALS_SENT_MS_MAX = 3_000;

/** Accepts requests during the grace period, and ends the work in progress. */
async function leave(leaving: {
  server: Server;
  opened: OpenServices;
  jobs: RunningJobs;
  graceMs: number;
}): Promise<void> {
  const { server, opened, jobs, graceMs } = leaving;
  opened.leave();
  if (graceMs > 0)
    opened.services.log.info({ drainMs: graceMs }, "requests are still answered until the drain ends");
  // An Inngest server keeps calling while it gets responses, and treats a response as the end of the work.
  const claimsMs = jobs.areCalled ? graceMs : 0;
  const work = jobs.stop(endClaims(opened, claimsMs));
  await Promise.all([closeServer(server, { graceMs }), waitAtMost(claimsMs + WORK_ENDS_MAX_MS, work)]);
}

/** Stops claiming after this time. */
async function endClaims({ stopClaiming }: OpenServices, afterMs: number): Promise<void> {
  if (afterMs > 0) await delay(afterMs);
  stopClaiming();
}

interface RunningJobs {
  /** True if an Inngest server calls the functions. */
  readonly areCalled: boolean;
  /** Starts no new work by itself, and resolves when claims have ended and no work is running. */
  stop(claimsEnd: Promise<void>): Promise<unknown>;
}

function startJobs(services: Services, engine: JobEngine, runsJobs: boolean): RunningJobs {
  const { config, concurrency } = services;
  const idle = () => Promise.all([concurrency.sends.idle(), concurrency.webhooks.idle()]);
  engine.start();
  const repeated = [
    ...(runsJobs ? [startJobHeartbeat(services)] : []),
    ...(takesCallbacks(config.role) ? [startIntakeHeartbeat(services)] : []),
  ];
  return {
    areCalled: runsJobs && config.inngest !== null,
    stop: (claimsEnd) =>
      Promise.all([...repeated.map((one) => one.stop()), engine.stop(), claimsEnd.then(idle)]),
  };
}

function localHost(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
