import type { Inngest } from "inngest";
import { serve } from "inngest/edge";
import type { Services } from "@/server/context";
import type { InngestConfig } from "@/server/inngest-config";
import type { Logger } from "pino";
import type { CoalescedJobs, Wake } from "@/server/jobs";
import { noteServerRan } from "@/server/process/jobs-seen";
import { createFunctions } from ".";
import { createInngestClient } from "./client";
import { sweepDue } from "./events";
import type { InProcess } from "./in-process";
import { keepRegistered, type Registration } from "./registration";
import { servedToInngest } from "./served";
import { keepStandby, type Standby, type StandbyTimes } from "./standby";
import { wakeSender } from "./wake";

export interface ServerSideOptions {
  readonly inngest: InngestConfig;
  readonly log: Logger;
  readonly services: () => Services;
  readonly jobs: () => CoalescedJobs;
  /** Stands in while no Inngest server runs functions. */
  readonly inProcess: InProcess;
  /** Where this process listens; asked for once it does. */
  readonly ownUrl: () => string | null;
  /** In place of the network between this process and the Inngest server. */
  readonly fetch?: typeof fetch | undefined;
  readonly standbyTimes?: StandbyTimes | undefined;
}

/** The side of this process that an Inngest server sees: it is told of the functions, woken, calls, and is stood in for. */
export interface ServerSide {
  readonly serve: (request: Request) => Promise<Response>;
  readonly wake: (wakes: readonly Wake[]) => Promise<void>;
  /** For a process that runs jobs: registers the functions, and stands by. Waits for neither. */
  start(): void;
  stop(): Promise<void>;
  /** Resolves when no wake-up is under way to the server. */
  sent(): Promise<void>;
}

/** Where the functions are served, whatever address they are called under. */
const SERVE_PATH = "/api/inngest";
/** The database is told at most so often that functions are run. */
const NOTE_RAN_EVERY_MS = 2_000;

export function createServerSide(options: ServerSideOptions): ServerSide {
  const { inngest, log, services, jobs, inProcess } = options;
  const client = createInngestClient({ inngest, log, fetch: options.fetch });
  const handlers = lazily(() => createHandlers(client, options));
  let started: Started | null = null;
  const send = wakeSender({
    inngest: client,
    log,
    unsent(wakes, error) {
      started?.standby.takeOver("takes no events", error);
      void inProcess.wake(wakes);
    },
  });
  const sending = new Set<Promise<void>>();
  return {
    serve: (request) => handlers().serve(request),
    wake(wakes) {
      if (started?.standby.hasTakenOver()) return inProcess.wake(wakes);
      const current = send(wakes).finally(() => sending.delete(current));
      sending.add(current);
      return current;
    },
    start() {
      const { register, origin } = handlers();
      const askForSweep = sweepAsker(client, () => standby);
      // What the last processes left behind is looked for at once, and not by the cron of the next minute.
      const registration = keepRegistered({ register, serveOrigin: origin, log, registered: askForSweep });
      const probe = () => {
        registration.again();
        askForSweep();
      };
      const handedBack = () => {
        jobs().resend();
        askForSweep();
      };
      const times = options.standbyTimes;
      const standby: Standby = keepStandby({ services: services(), inProcess, probe, handedBack, times });
      started = { registration, standby };
    },
    async stop() {
      await Promise.all([started?.standby.stop(), started?.registration.stop()]);
    },
    async sent() {
      await Promise.all(sending);
    },
  };
}

interface Started {
  readonly registration: Registration;
  readonly standby: Standby;
}

/** The SDK's serve handler, for those who call and for our own registration. */
function createHandlers(client: Inngest, { inngest, services, jobs, ownUrl, log }: ServerSideOptions) {
  const functions = createFunctions(client, { services: services(), jobs: jobs() });
  const origin = inngest.serveOrigin ?? ownUrl() ?? "http://127.0.0.1";
  const common = { client, functions, serveOrigin: origin, servePath: SERVE_PATH };
  const noteRan = atMostEvery(NOTE_RAN_EVERY_MS, () =>
    noteServerRan(services()).catch((error: unknown) => {
      log.debug({ err: error }, "it can't be noted that the Inngest server runs functions");
    }),
  );
  // A function that is called when nothing is claimed any more does nothing.
  const ran = () => (services().isStopping() ? undefined : noteRan());
  const calls = serve({ ...common, enableUnauthedSync: false });
  // Nobody outside reaches this one, so what it is asked needs no signature.
  const registers = serve({ ...common, enableUnauthedSync: true });
  return {
    origin,
    serve: servedToInngest({ handler: calls, isSigned: !inngest.isDev, ran }),
    register() {
      const url = new URL(SERVE_PATH, origin);
      // The SDK asks for the header, and takes the address from what it was told to be served at.
      return registers(new Request(url, { method: "PUT", headers: { host: url.host } }));
    },
  };
}

/** One at a time. The standby is told what became of it. */
function sweepAsker(inngest: Inngest, standby: () => Standby): () => void {
  let asking: Promise<unknown> | null = null;
  return () => {
    asking ??= inngest
      .send(sweepDue.create({}))
      .then(
        () => standby().eventTaken(),
        (error: unknown) => standby().takeOver("takes no events", error),
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
