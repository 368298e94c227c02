import { setTimeout as pause } from "node:timers/promises";
import { perServices, type Services } from "../context";
import { createSignal, type Signal } from "./drain-signal";
import type { Permits } from "@/server/lib/concurrency-limiter";

/** The longest run of a drain; the next run continues. */
const DRAIN_MS = 10_000;
const CLAIM_MAX = 32;
/** With this many calls in flight, the drain lingers a moment, so that one claim replaces several that have ended. */
const BUSY_CALLS = 8;
const LINGER_MS = 10;
/** Pause between two claims under load: a burst is accepted first, and sent at a hundred a second meanwhile. */
const MAKE_ROOM_MS = 300;
/** How often a drain that waits for calls polls for work that other processes made due. */
const POLL_EVERY_MS = 250;

/** Calls out that become due in rows of the database, such as those of a channel or to a webhook endpoint. */
export interface DrainWork {
  /** Joins the concurrency limiter. Drains of the same owner share one part. */
  readonly permits: (services: Services, id: string) => Promise<Permits>;
  /**
   * Claims up to `max` rows of the id and starts their calls, without waiting for their ends; `done` is called for each,
   * when its outcome is stored.
   * @returns how many started.
   */
  readonly start: (services: Services, id: string, max: number, done: () => void) => Promise<number>;
  /** When the next row of the id becomes due; null when none will. What is due already doesn't count. */
  readonly dueAfterNow: (services: Services, id: string) => Promise<Date | null>;
  readonly notify: (services: Services, id: string, at?: Date) => void;
}

export interface Drain {
  /** Notifies a running drain of this process that work is due. False when none runs: then it needs a job signal. */
  signal(services: Services, id: string): boolean;
  /**
   * Makes the calls that are due until none is left, or ten seconds have passed; then asks for the next signal. Calls
   * in flight at the end continue, hold their permits, and store their own outcome; the end of each asks for a run.
   */
  run(services: Services, id: string): Promise<void>;
}

export function createDrain(work: DrainWork, { drainMs = DRAIN_MS } = {}): Drain {
  /** Running drains of a process by id: signals reach them directly. */
  const runningOf = perServices(() => new Map<string, Signal>());

  function signal(services: Services, id: string): boolean {
    const running = runningOf(services).get(id);
    running?.raise();
    return running !== undefined;
  }

  return {
    signal,
    async run(services, id) {
      // Another run of this process serves the id already: it looks once more before it ends.
      if (signal(services, id)) return;
      const running = runningOf(services);
      const own = createSignal();
      // Its place at the receiver is free only now: whoever looked before may have found none, and nothing else to wait for.
      const onLateEnd = () => {
        if (running.get(id) !== own && !signal(services, id) && !services.isStopping())
          work.notify(services, id);
      };
      running.set(id, own);
      let permits: Permits | null = null;
      let isDry: boolean;
      try {
        permits = await work.permits(services, id);
        isDry = await callDue(work, services, { id, permits, signal: own, onLateEnd, drainMs });
      } finally {
        permits?.leave();
        running.delete(id);
      }
      // A signal that came between the last claim and the end reached only this run.
      if (!services.isStopping()) await askForNext(work, services, id, isDry && !own.isRaised());
    },
  };
}

/** @returns true when nothing was left that could be claimed, false when the time was up. */
async function callDue(
  work: DrainWork,
  services: Services,
  run: {
    readonly id: string;
    readonly permits: Permits;
    readonly signal: Signal;
    /** After each call's end; does nothing while the run goes on. */
    readonly onLateEnd: () => void;
    readonly drainMs: number;
  },
): Promise<boolean> {
  const { id, permits, signal, onLateEnd, drainMs } = run;
  const endsAt = performance.now() + drainMs;
  let calls = 0;
  while (!services.isStopping() && performance.now() < endsAt) {
    signal.lower();
    const permitCount = permits.take(CLAIM_MAX);
    if (permitCount > 0) {
      let started = 0;
      try {
        started = await work.start(services, id, permitCount, () => {
          calls -= 1;
          permits.release(1);
          signal.raise();
          onLateEnd();
        });
      } finally {
        // Also when the claim failed: permits that no call holds would be lost to this process for good.
        permits.release(permitCount - started);
      }
      calls += started;
      if (services.load.isHigh()) await pause(MAKE_ROOM_MS);
      else if (calls >= BUSY_CALLS) await pause(LINGER_MS);
      if (started > 0) continue;
      if (calls === 0 && !signal.isRaised()) return true;
    }
    await signal.raised(POLL_EVERY_MS);
  }
  return false;
}

async function askForNext(work: DrainWork, services: Services, id: string, isDry: boolean): Promise<void> {
  if (!isDry) return work.notify(services, id);
  const next = await work.dueAfterNow(services, id);
  if (next !== null) work.notify(services, id, next);
}
