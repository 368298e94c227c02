import { setTimeout as pause } from "node:timers/promises";
import { perServices, type Services } from "../context";
import { createSignal, type Signal } from "./drain-signal";
import type { Seat } from "@/server/lib/slots";

/** A drain ends after so long, so that a run stays short; what is left is the next one's. */
const DRAIN_MS = 10_000;
const CLAIM_MAX = 32;
/** With so many calls under way, ends are gathered for a moment: one claim for many instead of many for one. */
const BUSY_CALLS = 8;
const GATHER_MS = 10;
/** Between two claims while requests press: a burst is accepted first, and sent at a hundred a second meanwhile. */
const MAKE_ROOM_MS = 300;
/** How often a drain that waits for calls looks for what other processes made due. */
const LOOK_AGAIN_MS = 250;

/** Calls out that become due in rows of the database, such as those of a channel or to a webhook endpoint. */
export interface DrainWork {
  /** Takes part in the sharing of slots; whoever has the same name shares with itself. */
  readonly seat: (services: Services, id: string) => Promise<Seat>;
  /**
   * Claims up to `max` rows of the id and starts their calls, without waiting for their ends; `done` is called for each,
   * when its outcome is stored.
   * @returns how many started.
   */
  readonly start: (services: Services, id: string, max: number, done: () => void) => Promise<number>;
  /** When the next row of the id becomes due; null when none will. What is due already doesn't count. */
  readonly dueAfterNow: (services: Services, id: string) => Promise<Date | null>;
  readonly wake: (services: Services, id: string, at?: Date) => void;
}

export interface Drain {
  /** Tells a running drain of this process that something is due. False when none runs: then it needs a wake-up. */
  signal(services: Services, id: string): boolean;
  /**
   * Makes the calls that are due until none is left, or ten seconds have passed; then asks for the next wake-up. Calls
   * that still run when it ends go on, hold their slots, and store their own outcome; the end of each asks for a run.
   */
  run(services: Services, id: string): Promise<void>;
}

export function createDrain(work: DrainWork, { drainMs = DRAIN_MS } = {}): Drain {
  /** Running drains of a process by id: a wake-up reaches them directly. */
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
          work.wake(services, id);
      };
      running.set(id, own);
      let seat: Seat | null = null;
      let isDry: boolean;
      try {
        seat = await work.seat(services, id);
        isDry = await callDue(work, services, { id, seat, signal: own, onLateEnd, drainMs });
      } finally {
        seat?.leave();
        running.delete(id);
      }
      // A wake-up that came between the last look and the end was told to this run, and to no other.
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
    readonly seat: Seat;
    readonly signal: Signal;
    /** After each call's end; does nothing while the run goes on. */
    readonly onLateEnd: () => void;
    readonly drainMs: number;
  },
): Promise<boolean> {
  const { id, seat, signal, onLateEnd, drainMs } = run;
  const endsAt = performance.now() + drainMs;
  let calls = 0;
  while (!services.isStopping() && performance.now() < endsAt) {
    signal.lower();
    const slots = seat.take(CLAIM_MAX);
    if (slots > 0) {
      let started = 0;
      try {
        started = await work.start(services, id, slots, () => {
          calls -= 1;
          seat.release(1);
          signal.raise();
          onLateEnd();
        });
      } finally {
        // Also when the claim failed: slots that no call holds would be lost to this process for good.
        seat.release(slots - started);
      }
      calls += started;
      if (services.pressure.isHigh()) await pause(MAKE_ROOM_MS);
      else if (calls >= BUSY_CALLS) await pause(GATHER_MS);
      if (started > 0) continue;
      if (calls === 0 && !signal.isRaised()) return true;
    }
    await signal.raised(LOOK_AGAIN_MS);
  }
  return false;
}

async function askForNext(work: DrainWork, services: Services, id: string, isDry: boolean): Promise<void> {
  if (!isDry) return work.wake(services, id);
  const next = await work.dueAfterNow(services, id);
  if (next !== null) work.wake(services, id, next);
}
