import { mkdir } from "node:fs/promises";
import { createServer, type Server, type ServerResponse, type IncomingHttpHeaders } from "node:http";
import { dirname } from "node:path";
import { Clock } from "./clock";
import { ClockFollowers } from "./clock-followers";
import { lockDirectory } from "./directory-lock";
import { Dispatcher } from "./dispatcher";
import { Faults } from "./faults";
import { hostNameOf } from "./hosts";
import { sendGraphError, sendControlError } from "./http";
import { Journal } from "./journal";
import { LinkedMedia } from "./linked-media";
import { MediaStore } from "./media";
import { NextOutcomes } from "./next-outcomes";
import { Numbers, openFailures } from "./numbers";
import { Phones } from "./phones";
import type { OwedCallback } from "./records";
import { route } from "./routes";
import type { SimulatorContext, SimulatorLog } from "./simulator-context";
import { TemplateStore } from "./template-store";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface SimulatorOptions {
  /** Contains ledger, numbers and owed callbacks. Created if absent. One simulator at a time. */
  readonly directory: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1, because the simulator's own API needs no credentials. */
  readonly host?: string;
  /** Host names that callers may use in addition to the loopback ones and `host`. */
  readonly hostNames?: readonly string[];
  readonly log: SimulatorLog;
}

export interface Simulator {
  /** Without a trailing slash. */
  readonly url: string;
  /** Ends within seconds. Owed callbacks are stored for the next start. */
  stop(): Promise<void>;
}

const timeLimits = { requestTimeout: 30_000, headersTimeout: 30_000, keepAliveTimeout: 65_000 };
const stopGraceMs = 1000;

/**
 * Starts a simulator of Meta's WhatsApp Cloud API, and delivers the callbacks that an earlier run still owes. Throws
 * SimulatorDirectoryInUse, and the system's error if the port is in use.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { directory } = options;
  // Only the last directory is private. Other programs use the data directory above it.
  await mkdir(dirname(directory), { recursive: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(directory);
  try {
    return await run(await openContext(options), options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Opened {
  readonly context: SimulatorContext;
  /** Callbacks that an earlier run still owes. */
  readonly owed: readonly OwedCallback[];
}

async function openContext({ directory, log }: SimulatorOptions): Promise<Opened> {
  const clock = await Clock.open(directory);
  const numbers = await Numbers.open(directory);
  const failures = await openFailures(directory, log);
  const templates = await TemplateStore.open(directory, log);
  const media = await MediaStore.open(directory, { log, clock });
  const { journal, owed } = await Journal.open(directory, { log, clock });
  const dispatcher = createDispatcher({ clock, numbers, journal, log });
  const context = {
    clock,
    followers: new ClockFollowers(clock, () => dispatcher.clockMoved()),
    numbers,
    faults: new Faults(),
    nextOutcomes: new NextOutcomes(),
    phones: new Phones(journal),
    linkedMedia: new LinkedMedia(),
    failures,
    templates,
    media,
    journal,
    dispatcher,
    log,
  };
  return { context, owed };
}

async function run(
  { context, owed }: Opened,
  options: SimulatorOptions,
  lock: Awaited<ReturnType<typeof lockDirectory>>,
): Promise<Simulator> {
  const { followers, failures, templates, media, journal, dispatcher, numbers } = context;
  const { server, answered } = serve(context, [options.host ?? [], options.hostNames ?? []].flat());
  const closeFiles = () => Promise.all([failures.close(), templates.close(), media.close()]);
  const close = async () => {
    followers.stop();
    await closeServer(server);
    await answered();
    await journal.close(await dispatcher.stop());
    await closeFiles();
    await lock.release();
  };
  try {
    const url = await listen(server, options.port, options.host ?? "127.0.0.1");
    dispatcher.owe(owed);
    for (const number of numbers.all()) dispatcher.setNumber(number);
    return { url, stop: once(close) };
  } catch (error) {
    await journal.close(owed);
    await closeFiles();
    throw error;
  }
}

function createDispatcher({
  clock,
  numbers,
  journal,
  log,
}: Pick<SimulatorContext, "clock" | "numbers" | "journal" | "log">): Dispatcher {
  return new Dispatcher({
    log,
    nowMs: () => clock.nowMs(),
    skippedMs: () => clock.aheadMs,
    settled: (kind, callbacks) => {
      journal.append({ kind, at: clock.now().toISOString(), callbacks }).catch((error: unknown) => {
        log.error(
          { err: error },
          "recording a delivered callback failed: it may be repeated after a restart",
        );
      });
    },
    isVerified: (target) => numbers.isVerified(target),
    markVerified: (target) => numbers.markVerified(target),
  });
}

/** `answered` waits for running handlers. Callbacks that they write must be owed before the owed ones are counted. */
function serve(
  context: SimulatorContext,
  hostNames: readonly string[],
): { server: Server; answered(): Promise<unknown> } {
  const inFlight = new Set<Promise<void>>();
  const server = createServer(timeLimits, (request, response) => {
    const fault = foreignCaller(request.headers, hostNames);
    if (fault !== null) return sendControlError(response, 403, fault);
    const handled = route(context, request, response)
      .catch((error: unknown) => fail(context, error, response))
      .finally(() => inFlight.delete(handled));
    inFlight.add(handled);
  });
  return { server, answered: () => Promise.all(inFlight) };
}

function fail(context: SimulatorContext, error: unknown, response: ServerResponse): void {
  // A disconnected caller is not an error.
  if (response.destroyed) return;
  context.log.error({ err: error }, "the simulator failed to answer");
  if (response.headersSent) response.destroy();
  else sendGraphError(response, { error: "service_unavailable" });
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === "string") return reject(new Error("no TCP address"));
      server.off("error", reject);
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${address.port}`);
    });
  });
}

/** Waits for responses in progress, then aborts the rest (a response that its outcome delays, a caller that stalls). */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), stopGraceMs);
  await closed;
  clearTimeout(cut);
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | null = null;
  return () => (closing ??= close());
}

/**
 * Returns why a caller is refused. Null for one that may call. The simulator needs no credentials, so no web page may
 * use it through a person's browser: neither one that sends its origin, nor one whose own name resolves to this machine
 * (DNS rebinding).
 */
function foreignCaller(headers: IncomingHttpHeaders, hostNames: readonly string[]): string | null {
  if (headers.origin !== undefined) return "the simulator answers programs only: the request has an Origin";
  const name = hostNameOf(headers.host ?? "");
  if (name !== null && (LOOPBACK.test(name) || hostNames.some((one) => hostNameOf(one) === name)))
    return null;
  return "the Host must be a loopback address, or the host that the simulator is configured with";
}
