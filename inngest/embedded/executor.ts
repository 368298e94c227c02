import type { Logger } from "pino";
import { z } from "zod";
import { createLanes } from "./lanes";
import { type ModelledFunction, modelOf } from "./model";
import { type EmbeddedEvent, runFunction, type ServeHandler, StepFailed } from "./run";
import { createTimers } from "./timers";

export interface EmbeddedExecutor {
  /** The client's replacement for the network: receives events. */
  readonly fetch: typeof fetch;
  /** Starts running functions. Those with a cron for this minute run immediately. */
  start(functions: readonly { opts: object }[], serve: ServeHandler): void;
  /**
   * Starts no more runs, and resolves when the current ones have ended. Waiting events are dropped, because the
   * database rows are authoritative.
   */
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;
const CRON_EVENT = "inngest/scheduled.timer";

/**
 * A small Inngest in this process: queue, timers, cron, concurrency per key, and no more. It stores nothing: the sweep
 * finds lost work in the database.
 */
export function createEmbeddedExecutor(options: {
  baseUrl: string;
  appId: string;
  log: Logger;
}): EmbeddedExecutor {
  const { appId, baseUrl, log } = options;
  const lanes = createLanes();
  const timers = createTimers();
  let functions: readonly ModelledFunction[] = [];
  let serve: ServeHandler = () => Promise.reject(new Error("The executor hasn't started"));

  function dispatch(event: EmbeddedEvent): void {
    for (const fn of functions) if (fn.events.has(event.name)) enqueue(fn, event);
  }

  function enqueue(fn: ModelledFunction, event: EmbeddedEvent): void {
    const value = fn.concurrencyField === undefined ? "" : String(event.data[fn.concurrencyField]);
    lanes.enqueue(`${fn.id}:${value}`, fn.concurrencyMax, async () => {
      try {
        await runFunction(serve, `${appId}-${fn.id}`, event, baseUrl);
      } catch (error) {
        const level = error instanceof StepFailed ? "debug" : "warn";
        log[level]({ err: error, function: fn.id }, "a job failed; the sweep finds what it left");
      }
    });
  }

  function everyMinute(): void {
    const now = Date.now();
    const minute = Math.floor(now / MINUTE_MS);
    for (const fn of functions) {
      const isDue = fn.everyMinutes !== null && minute % fn.everyMinutes === 0;
      if (isDue) enqueue(fn, { name: CRON_EVENT, data: {}, ts: now });
    }
    timers.at(now - (now % MINUTE_MS) + MINUTE_MS, everyMinute);
  }

  return {
    fetch: (input, init) =>
      takeEvents(new Request(input, init), (event) => timers.at(event.ts, () => dispatch(event))),
    start(given, handler) {
      functions = given.map((fn) => modelOf({ ...fn.opts }));
      serve = handler;
      everyMinute();
    },
    stop() {
      functions = [];
      timers.clear();
      return lanes.stop();
    },
  };
}

const eventsSchema = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]).pipe(
  z.array(
    z.object({
      name: z.string(),
      data: z.record(z.string(), z.unknown()).default({}),
      ts: z.number().default(Date.now),
    }),
  ),
);

/** The event endpoint of an Inngest server: `POST /e/{event key}`. */
async function takeEvents(request: Request, accept: (event: EmbeddedEvent) => void): Promise<Response> {
  if (!new URL(request.url).pathname.startsWith("/e/")) {
    return Response.json({ error: "not found" }, { status: 404 });
  }
  const events = eventsSchema.parse(await request.json());
  for (const event of events) accept(event);
  return Response.json({ ids: events.map((_, index) => `embedded-${index}`), status: 200 });
}
