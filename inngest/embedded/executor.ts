import type { Logger } from "pino";
import { z } from "zod";
import { type ModelledFunction, modelOf } from "./model";
import { type EmbeddedEvent, runFunction, type ServeHandler } from "./run";

export interface EmbeddedExecutor {
  /** What the client is given in place of the network: takes events in. */
  readonly fetch: typeof fetch;
  /** Begins to run functions; each minute's cron included, the first at once. */
  start(functions: readonly { opts: object }[], serve: ServeHandler): void;
  /** Starts nothing more, and resolves when what runs has ended. Events that wait are dropped: rows are the truth. */
  stop(): Promise<void>;
}

interface Lane {
  readonly waiting: EmbeddedEvent[];
  running: number;
}

const MINUTE_MS = 60_000;
/** Longest wait that a timer of Node can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const eventsSchema = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]).pipe(
  z.array(
    z.looseObject({ name: z.string(), data: z.record(z.string(), z.unknown()).optional(), ts: z.number().optional() }),
  ),
);

/**
 * A small Inngest in this process: queue, timers, cron, concurrency per key, and no more. It keeps nothing: whatever it
 * forgets, the sweep finds in the database.
 */
export function createEmbeddedExecutor(options: { baseUrl: string; appId: string; log: Logger }): EmbeddedExecutor {
  const { log } = options;
  const lanes = new Map<string, Lane>();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let functions: readonly ModelledFunction[] = [];
  let serve: ServeHandler | null = null;
  let isStopped = false;

  function after(delayMs: number, act: () => void): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        act();
      },
      Math.min(Math.max(delayMs, 0), TIMER_MS_MAX),
    );
    timers.add(timer);
  }

  function accept(event: EmbeddedEvent): void {
    if (isStopped) return;
    const delayMs = event.ts - Date.now();
    if (delayMs > 0) return after(delayMs, () => dispatch(event));
    dispatch(event);
  }

  function dispatch(event: EmbeddedEvent): void {
    for (const fn of functions) if (fn.events.has(event.name)) enqueue(fn, event);
  }

  function enqueue(fn: ModelledFunction, event: EmbeddedEvent): void {
    const value = fn.concurrencyField === undefined ? "" : String(event.data[fn.concurrencyField]);
    const name = `${fn.id}:${value}`;
    const lane = lanes.get(name) ?? { waiting: [], running: 0 };
    lanes.set(name, lane);
    lane.waiting.push(event);
    advance(fn, name, lane);
  }

  function advance(fn: ModelledFunction, name: string, lane: Lane): void {
    while (!isStopped && lane.running < fn.concurrencyMax) {
      const event = lane.waiting.shift();
      if (event === undefined) break;
      lane.running += 1;
      const run = execute(fn, event).finally(() => {
        running.delete(run);
        lane.running -= 1;
        advance(fn, name, lane);
      });
      running.add(run);
    }
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(name);
  }

  async function execute(fn: ModelledFunction, event: EmbeddedEvent): Promise<void> {
    if (serve === null) return;
    try {
      await runFunction(serve, `${options.appId}-${fn.id}`, event, options.baseUrl);
    } catch (error) {
      log.warn({ err: error, function: fn.id }, "a job failed; the sweep finds what it left");
    }
  }

  function everyMinute(): void {
    const now = Date.now();
    const event = { name: "inngest/scheduled.timer", data: { cron: "* * * * *" }, ts: now };
    for (const fn of functions) if (fn.everyMinute) enqueue(fn, event);
    after(MINUTE_MS - (now % MINUTE_MS), everyMinute);
  }

  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (!new URL(request.url).pathname.startsWith("/e/")) return Response.json({ error: "not found" }, { status: 404 });
      const events = eventsSchema.parse(await request.json());
      for (const { name, data, ts } of events) accept({ name, data: data ?? {}, ts: ts ?? Date.now() });
      return Response.json({ ids: events.map((_, index) => `embedded-${index}`), status: 200 });
    },
    start(given, handler) {
      functions = given.map((fn) => modelOf({ ...fn.opts }));
      serve = handler;
      everyMinute();
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await Promise.allSettled(running);
    },
  };
}
