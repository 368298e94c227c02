import { setTimeout as pause } from "node:timers/promises";
import { perServices, type Services } from "../context";
import { dueAfterNow } from "./claim";
import { claimAndOpen } from "./claim-and-open";
import { handOver } from "./hand-over";
import { handOverWithMedia } from "./hand-over-with-media";
import { noteClaim } from "./rests";
import type { Seat } from "./slots";
import { settleUncalled } from "./settle-uncalled";
import { createSignal, type Signal } from "./signal";

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

/** Running drains of this process by channel: a wake-up reaches them directly. */
const runningOf = perServices(() => new Map<string, Signal>());

/** Tells a running drain of this process that something is due. False when none runs: then it needs a wake-up. */
export function signalDrain(services: Services, channelId: string): boolean {
  const running = runningOf(services).get(channelId);
  running?.raise();
  return running !== undefined;
}

/**
 * Hands due messages of a channel upstream until none is left, or ten seconds have passed; then asks for the next
 * wake-up. What goes wrong with one message is that message's outcome, never thrown. Calls that still run when it ends
 * go on, hold their slots, and store their own outcome.
 */
export async function drainChannel(services: Services, channelId: string): Promise<void> {
  const running = runningOf(services);
  // Another run of this process serves the channel already: it looks once more before it ends.
  if (signalDrain(services, channelId)) return;
  const signal = createSignal();
  running.set(channelId, signal);
  const seat = services.slots.join(channelId);
  let isDry: boolean;
  try {
    isDry = await handOverDue(services, channelId, seat, signal);
  } finally {
    seat.leave();
    running.delete(channelId);
  }
  // A wake-up that came between the last look and the end was told to this run, and to no other.
  if (!services.isStopping()) await askForNext(services, channelId, isDry && !signal.isRaised());
}

/** @returns true when nothing was left that could be claimed, false when the time was up. */
async function handOverDue(
  services: Services,
  channelId: string,
  seat: Seat,
  signal: Signal,
): Promise<boolean> {
  const endsAt = performance.now() + DRAIN_MS;
  let calls = 0;
  while (!services.isStopping() && performance.now() < endsAt) {
    signal.lower();
    const slots = seat.take(CLAIM_MAX);
    if (slots > 0) {
      let started = 0;
      try {
        started = await startCalls(services, channelId, slots, () => {
          calls -= 1;
          seat.release(1);
          signal.raise();
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

/** Claims and starts calls, without waiting for their ends. @returns how many started; `done` is called for each. */
async function startCalls(
  services: Services,
  channelId: string,
  slots: number,
  done: () => void,
): Promise<number> {
  const startedAtMs = performance.now();
  const claim = await claimAndOpen(services, channelId, slots);
  const { claimed, opened, waitingForMedia, openedAtMs } = claim;
  noteClaim(services, channelId, { tookMs: performance.now() - startedAtMs, isEmpty: claimed.length === 0 });
  for (const attempt of opened) void handOver(services, attempt, openedAtMs).finally(done);
  for (const waiting of waitingForMedia) void handOverWithMedia(services, waiting).finally(done);
  void settleUncalled(services, claim);
  return opened.length + waitingForMedia.length;
}

async function askForNext(services: Services, channelId: string, isDry: boolean): Promise<void> {
  if (!isDry) return services.jobs.wakeChannel(channelId);
  const next = await dueAfterNow(services, channelId);
  if (next !== null) services.jobs.wakeChannel(channelId, next);
}
