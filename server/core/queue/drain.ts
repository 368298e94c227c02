import { setTimeout as pause } from "node:timers/promises";
import { perServices, type Services } from "../context";
import type { Permits } from "@/server/lib/concurrency-limiter";

/** Maximum duration of a drain. The next run continues. */
const DRAIN_MS = 10_000;
const CLAIM_MAX = 32;
/**
 * With this many calls in flight, the drain waits until half of them have ended, or a moment at most, so that one claim
 * replaces several.
 */
const BUSY_CALLS = 8;
const LINGER_MS_MAX = 10;
/**
 * Under load a burst is accepted first, while sending continues: often and little at a time, because requests wait for
 * all that a claim starts.
 */
const CLAIM_MAX_UNDER_LOAD = 16;
const MAKE_ROOM_MS = 150;
/** Interval at which a drain that waits for calls polls for work that other processes made due. */
const POLL_EVERY_MS = 250;

/** Outbound calls that become due in rows of the database, such as those of a channel or to a webhook endpoint. */
export interface DrainWork {
  /** Joins the concurrency limiter. Drains of the same owner share its permits. */
  readonly permits: (services: Services, id: string) => Promise<Permits>;
  /** Claims up to `max` rows of the id and starts their calls, without waiting for them to end. */
  readonly start: (services: Services, id: string, max: number) => Promise<Started>;
  readonly queueState: (services: Services, id: string) => Promise<QueueState>;
  readonly notify: (services: Services, id: string, at?: Date) => void;
}

export interface Started {
  /** Each resolves once its outcome is stored: true if its row is certainly not due again. They never reject. */
  readonly calls: readonly Promise<boolean>[];
  /** At the time of the claim, the id had no other row that waits. False if nothing was claimed: it isn't known then. */
  readonly isQueueEmpty: boolean;
}

export interface QueueState {
  /** A row is due. It can't be claimed while an earlier row holds it back, or while its receiver takes no calls. */
  readonly hasDue: boolean;
  /** When the next row becomes due that isn't due yet, by this process's clock. Null if there is none. */
  readonly nextDueAt: Date | null;
}

/** Returns the time that comes after `waitMs`, by this process's clock. */
export function fromNow(waitMs: number | null): Date | null {
  return waitMs === null ? null : new Date(Date.now() + Math.ceil(waitMs));
}

export interface Drain {
  /**
   * Notifies a running drain of this process that work is due. Returns false if none runs; then a job signal is needed.
   */
  signal(services: Services, id: string): boolean;
  /**
   * Makes the due calls until none is left or ten seconds have passed, then requests the next signal. Calls in flight
   * at the end continue, hold their permits and store their own outcome. The end of each one requests a run.
   * @returns the number of calls that it started.
   */
  run(services: Services, id: string): Promise<number>;
}

export function createDrain(work: DrainWork, { drainMs = DRAIN_MS, lingerMs = LINGER_MS_MAX } = {}): Drain {
  /** Running drains of a process by id, so that signals reach them directly. */
  const runningOf = perServices(() => new Map<string, Running>());

  function signal(services: Services, id: string): boolean {
    const running = runningOf(services).get(id);
    if (running === undefined) return false;
    running.hasNews = true;
    running.signal.raise();
    return true;
  }

  return {
    signal,
    async run(services, id) {
      // Another run of this process already serves the id. It checks once more before it ends.
      if (signal(services, id)) return 0;
      const running = runningOf(services);
      const own: Running = { signal: createSignal(), hasNews: true };
      // The permit is free only now. An earlier run may have found none, and had nothing else to wait for.
      const onLateEnd = () => {
        if (running.get(id) !== own && !signal(services, id) && !services.lifecycle.isStopping())
          work.notify(services, id);
      };
      running.set(id, own);
      const calls: Calls = {
        started: 0,
        inFlight: 0,
        isQueueEmpty: false,
        isRequeued: false,
      };
      let permits: Permits | null = null;
      let next: Next;
      try {
        permits = await work.permits(services, id);
        next = await callDue(work, services, { id, permits, own, calls, onLateEnd, drainMs, lingerMs });
      } finally {
        permits?.leave();
        running.delete(id);
      }
      if (services.lifecycle.isStopping()) return calls.started;
      // News that came since the queue was read reached only this run.
      if (next === "now" || own.hasNews) work.notify(services, id);
      else if (next !== null) work.notify(services, id, next);
      return calls.started;
    },
  };
}

interface Running {
  /** Raised by news and by the end of a call. */
  readonly signal: Signal;
  /** A row may have become due since the last claim, or the last look at the queue. */
  hasNews: boolean;
}

/** When the next run must come. Null if nothing waits. */
type Next = Date | "now" | null;

interface Run {
  readonly id: string;
  readonly permits: Permits;
  readonly own: Running;
  readonly calls: Calls;
  /** Called after each call's end. Does nothing while the run continues. */
  readonly onLateEnd: () => void;
  readonly drainMs: number;
  readonly lingerMs: number;
}

/** The calls of one run. */
interface Calls {
  /** How many so far. */
  started: number;
  inFlight: number;
  /** As the last claim found it. */
  isQueueEmpty: boolean;
  /** Since the last claim a row has become due again, or may have. */
  isRequeued: boolean;
}

async function callDue(work: DrainWork, services: Services, run: Run): Promise<Next> {
  const { id, permits, own, calls, drainMs, lingerMs } = run;
  const endsAt = performance.now() + drainMs;
  let isMoreDue = true;
  while (!services.lifecycle.isStopping() && performance.now() < endsAt) {
    own.signal.lower();
    if (calls.inFlight === 0 && !isMoreDue && !own.hasNews) {
      if (calls.isQueueEmpty && !calls.isRequeued) return null;
      const { hasDue, nextDueAt } = await work.queueState(services, id);
      if (!hasDue && !own.hasNews) return nextDueAt;
    }
    const permitCount = permits.take(services.load.isHigh() ? CLAIM_MAX_UNDER_LOAD : CLAIM_MAX);
    if (permitCount > 0) {
      isMoreDue = await claim(work, services, run, permitCount);
      if (services.load.isHigh()) await pause(MAKE_ROOM_MS);
      else if (calls.inFlight >= BUSY_CALLS) await halfHaveEnded(own.signal, calls, lingerMs);
      if (isMoreDue) continue;
      if (calls.inFlight === 0 && !own.signal.isRaised())
        return (await work.queueState(services, id)).nextDueAt;
    }
    await own.signal.raised(POLL_EVERY_MS);
  }
  return "now";
}

/** Resolves after `lingerMs` at the latest. The signal is raised then if anything has happened. */
async function halfHaveEnded(signal: Signal, calls: Calls, lingerMs: number): Promise<void> {
  const half = calls.inFlight / 2;
  const endsAt = performance.now() + lingerMs;
  let hasHappened = false;
  for (;;) {
    hasHappened ||= signal.isRaised();
    const restMs = endsAt - performance.now();
    if (calls.inFlight <= half || restMs <= 0) break;
    signal.lower();
    await signal.raised(restMs);
  }
  if (hasHappened) signal.raise();
}

/** @returns true if it got as many rows as it had permits, so that more may be due. */
async function claim(
  work: DrainWork,
  services: Services,
  { id, permits, own, calls, onLateEnd }: Run,
  permitCount: number,
): Promise<boolean> {
  own.hasNews = false;
  calls.isRequeued = false;
  let started: Started = { calls: [], isQueueEmpty: false };
  try {
    started = await work.start(services, id, permitCount);
  } finally {
    // Also if the claim failed: permits that no call holds would be lost to this process for good.
    permits.release(permitCount - started.calls.length);
  }
  calls.started += started.calls.length;
  calls.inFlight += started.calls.length;
  calls.isQueueEmpty = started.isQueueEmpty;
  for (const call of started.calls) {
    void call.then((isFinal) => {
      calls.inFlight -= 1;
      calls.isRequeued ||= !isFinal;
      permits.release(1);
      own.signal.raise();
      onLateEnd();
    });
  }
  return started.calls.length === permitCount;
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
