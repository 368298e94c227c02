import type { Inngest } from "inngest";
import { serve } from "inngest/edge";
import type { Services } from "@/server/core/context";
import { type InngestConfig, inngestServerName } from "@/server/platform/inngest-config";
import type { Logger } from "pino";
import type { CoalescedJobs, JobSignal } from "@/server/core/jobs";
import { recordServerRan } from "@/server/core/queue/heartbeats";
import { createFunctions } from ".";
import { createInngestClient } from "./client";
import { runWithoutAsyncContext } from "./async-context";
import { sweepDue } from "./events";
import type { InProcess } from "./in-process";
import { createRegister } from "./register";
import { keepRegistered, type Registration } from "./registration";
import { type ServeAddress, watchServeAddress } from "./serve-address";
import { servedToInngest } from "./served";
import { keepStandby, type Standby, type StandbyTimes } from "./standby";
import { createSignalSender } from "./send-signals";

export interface ServerSideOptions {
  readonly inngest: InngestConfig;
  readonly log: Logger;
  readonly services: () => Services;
  readonly jobs: () => CoalescedJobs;
  /** Takes over while no Inngest server runs functions. */
  readonly inProcess: InProcess;
  /** Address of this process. Read once it listens. */
  readonly ownUrl: () => string | null;
  /** Replaces the network between this process and the Inngest server. */
  readonly fetch?: typeof fetch | undefined;
  readonly standbyTimes?: StandbyTimes | undefined;
}

/**
 * This process's connection to an Inngest server: registers the functions, sends signals, serves calls, and takes over
 * if the server fails.
 */
export interface ServerSide {
  readonly serve: (request: Request) => Promise<Response>;
  readonly signal: (signals: readonly JobSignal[]) => Promise<void>;
  /** For a process that runs jobs: registers the functions, and starts the standby. Waits for neither. */
  start(): void;
  stop(): Promise<void>;
  /** Resolves when no signal is being sent to the server. */
  sent(): Promise<void>;
}

/** Path of the functions, whatever address they are called with. */
const SERVE_PATH = "/api/inngest";
/** Minimum interval at which the database records that functions are run. */
const NOTE_RAN_EVERY_MS = 2_000;

export function createServerSide(options: ServerSideOptions): ServerSide {
  const { inngest, log, inProcess } = options;
  runWithoutAsyncContext();
  const client = createInngestClient({ inngest, log, fetch: options.fetch });
  const handlers = lazily(() => createHandlers(client, options));
  let started: Started | null = null;
  const send = createSignalSender({
    inngest: client,
    log,
    server: inngestServerName(inngest),
    unsent(signals, error) {
      started?.standby.takeOver("accepts no events", error);
      inProcess.signal(signals);
      return started !== null;
    },
  });
  const sending = new Set<Promise<void>>();
  return {
    serve: (request) => handlers().serve(request),
    async signal(signals) {
      if (started?.standby.hasTakenOver()) return inProcess.signal(signals);
      const current = send(signals).finally(() => sending.delete(current));
      sending.add(current);
      return current;
    },
    start() {
      started = startLink(client, options, handlers().serveUrl);
    },
    async stop() {
      await Promise.all(started === null ? [] : Object.values(started).map((part) => part.stop()));
    },
    async sent() {
      await Promise.all(sending);
    },
  };
}

interface Started {
  readonly registration: Registration;
  readonly address: ServeAddress;
  readonly standby: Standby;
}

/** Registers the functions, checks the address that the server was told to call, and starts the standby. */
function startLink(client: Inngest, options: ServerSideOptions, serveUrl: URL): Started {
  const { inngest, log, services, jobs, inProcess, fetch, standbyTimes: times } = options;
  const askForSweep = sweepAsker(client, () => standby);
  const facts = { server: inngestServerName(inngest), calls: serveUrl.href };
  const address = watchServeAddress({ inngest, url: serveUrl, log, fetch });
  const registration = keepRegistered({
    register: createRegister({ inngest, runner: { services: services(), jobs: jobs() }, serveUrl, fetch }),
    facts,
    log,
    registered() {
      // Finds the work that previous processes left immediately, instead of at the next minute's cron.
      askForSweep();
      address.begin();
    },
  });
  const standby: Standby = keepStandby({
    services: services(),
    inProcess,
    times,
    probe() {
      registration.again();
      askForSweep();
      void address.check();
    },
    handedBack() {
      jobs().resend();
      askForSweep();
    },
    facts() {
      const [found, unregistered] = [address.found(), registration.refused()];
      return { ...facts, ...(found && { found }), ...(unregistered && { unregistered }) };
    },
  });
  return { registration, address, standby };
}

/** Creates the SDK's serve handlers for calls. */
function createHandlers(client: Inngest, { inngest, services, jobs, ownUrl, log }: ServerSideOptions) {
  const functions = createFunctions(client, { services: services(), jobs: jobs() });
  const serveUrl = new URL(SERVE_PATH, inngest.serveOrigin ?? ownUrl() ?? "http://127.0.0.1");
  const noteRan = atMostEvery(NOTE_RAN_EVERY_MS, () =>
    recordServerRan(services()).catch((error: unknown) => {
      log.debug({ err: error }, "storing that the Inngest server runs the functions failed");
    }),
  );
  // A function does nothing if it is called after claiming has stopped.
  const ran = () => (services().lifecycle.isStopping() ? undefined : noteRan());
  const { origin: serveOrigin, pathname: servePath } = serveUrl;
  const handler = serve({ client, functions, serveOrigin, servePath, enableUnauthedSync: false });
  return { serveUrl, serve: servedToInngest({ handler, isSigned: !inngest.isDev, ran }) };
}

/** Requests a sweep, one at a time. Reports the result to the standby. */
function sweepAsker(inngest: Inngest, standby: () => Standby): () => void {
  let asking: Promise<unknown> | null = null;
  return () => {
    asking ??= inngest
      .send(sweepDue.create({}))
      .then(
        () => standby().eventAccepted(),
        (error: unknown) => standby().takeOver("accepts no events", error),
      )
      .finally(() => (asking = null));
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function atMostEvery(everyMs: number, act: () => Promise<void>): () => void {
  let actedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - actedAtMs < everyMs) return;
    actedAtMs = performance.now();
    void act();
  };
}
