import { setTimeout as pause } from "node:timers/promises";
import { perServices, type Services } from "../context";
import type { Permits } from "@/server/lib/concurrency-limiter";

/** Maximum duration of a drain. The next run continues. */
const DRAIN_MS = 10_000;
const CLAIM_MAX = 32;
/** With this many calls in flight, the drain waits a moment, so that one claim replaces several that have ended. */
const BUSY_CALLS = 8;
const LINGER_MS = 10;
/** Pause between two claims under load: a burst is accepted first, while sending continues at a hundred a second. */
const MAKE_ROOM_MS = 300;
/** Interval at which a drain that waits for calls polls for work that other processes made due. */
const POLL_EVERY_MS = 250;

/** Outbound calls that become due in rows of the database, such as those of a channel or to a webhook endpoint. */
export interface DrainWork {
  /** Joins the concurrency limiter. Drains of the same owner share its permits. */
  readonly permits: (services: Services, id: string) => Promise<Permits>;
  /**
   * Claims up to `max` rows of the id and starts their calls, without waiting for them to end. Calls `done` for each
   * call after its outcome was stored.
   * @returns the number of started calls.
   */
  readonly start: (services: Services, id: string, max: number, done: () => void) => Promise<number>;
  /** Returns when the next row of the id becomes due. Null if none will. Rows that are already due don't count. */
  readonly dueAfterNow: (services: Services, id: string) => Promise<Date | null>;
  readonly notify: (services: Services, id: string, at?: Date) => void;
}

export interface Drain {
  /**
   * Notifies a running drain of this process that work is due. Returns false if none runs; then a job signal is needed.
   */
  signal(services: Services, id: string): boolean;
  /**
   * Makes the due calls until none is left or ten seconds have passed, then requests the next signal. Calls in flight
   * at the end continue, hold their permits and store their own outcome. The end of each one requests a run.
   */
  run(services: Services, id: string): Promise<void>;
}

export function createDrain(work: DrainWork, { drainMs = DRAIN_MS } = {}): Drain {
  /** Running drains of a process by id, so that signals reach them directly. */
  const runningOf = perServices(() => new Map<string, Signal>());

  function signal(services: Services, id: string): boolean {
    const running = runningOf(services).get(id);
    running?.raise();
    return running !== undefined;
  }

  return {
    signal,
    async run(services, id) {
      // Another run of this process already serves the id. It checks once more before it ends.
      if (signal(services, id)) return;
      const running = runningOf(services);
      const own = createSignal();
      // The permit is free only now. An earlier run may have found none, and had nothing else to wait for.
      const onLateEnd = () => {
        if (running.get(id) !== own && !signal(services, id) && !services.lifecycle.isStopping())
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
      if (!services.lifecycle.isStopping()) await askForNext(work, services, id, isDry && !own.isRaised());
    },
  };
}

/** @returns true if nothing that could be claimed was left, false if the time was up. */
async function callDue(
  work: DrainWork,
  services: Services,
  run: {
    readonly id: string;
    readonly permits: Permits;
    readonly signal: Signal;
    /** Called after each call's end. Does nothing while the run continues. */
    readonly onLateEnd: () => void;
    readonly drainMs: number;
  },
): Promise<boolean> {
  const { id, permits, signal, onLateEnd, drainMs } = run;
  const endsAt = performance.now() + drainMs;
  let calls = 0;
  while (!services.lifecycle.isStopping() && performance.now() < endsAt) {
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
        // Also if the claim failed: permits that no call holds would be lost to this process for good.
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

/** A wake-up signal. It wakes one waiter, now or when it starts to wait. */
interface Signal {
  raise(): void;
  lower(): void;
  isRaised(): boolean;
  /** Resolves when the signal is raised, or after `timeoutMs`. */
  raised(timeoutMs: number): Promise<void>;
}

function createSignal(): Signal {
  let isRaised = false;
  let notify: () => void = () => undefined;
  return {
    raise() {
      isRaised = true;
      notify();
    },
    lower: () => void (isRaised = false),
    isRaised: () => isRaised,
    raised(timeoutMs) {
      if (isRaised) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        notify = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
