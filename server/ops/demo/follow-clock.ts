import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { moveClock, readClockAheadMs } from "@/db/movable-clock";
import type { Services } from "@/server/core/context";
import { recordSweep, skipHeartbeats } from "@/server/core/queue/heartbeats";
import { notifyDueCallbacks } from "@/server/domain/callbacks/due";
import { skipIntakeMinutes } from "@/server/domain/messages/sweep";
import { enforceRetention } from "@/server/domain/retention/enforce";
import { sweepDueWork, sweepHourly } from "@/server/domain/sweep";
import { wallClock } from "@/server/lib/wall-clock";
import { countCallsInFlight, hasRealChannel } from "./claim";

/** The simulator answers within 25 seconds. */
const TIMEOUT_MS = 35_000;
const ANSWER_BYTES_MAX = 10_000;
const AGAIN_AFTER_MS = 2_000;
const CALLS_END_MS_MAX = 25_000;
const ASK_AGAIN_MS = 20;

const stateSchema = z.object({ ahead_ms: z.number(), pending_ahead_ms: z.number().nullable() });

interface FollowOptions {
  readonly services: Services;
  /** Read at every call, because the owner's simulator can start again at another port. */
  readonly simulatorUrl: () => string | null;
  /** Shown to the person who moves the clock. */
  readonly name: string;
}

type Answer = { readonly ahead_ms: number; readonly refusal: string | null } | null;

/**
 * Moves this installation's clock together with the simulator's, until `stop`: expiry, customer service windows,
 * retries, retention and key expiry can be tried within seconds. Refuses moves where the database is the operator's
 * own, or a channel is connected to Meta. Failures are retried: the service works without a simulator.
 */
export function followClock(options: FollowOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = follow(options, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function follow({ services, simulatorUrl, name }: FollowOptions, stopping: AbortSignal): Promise<void> {
  const id = randomUUID();
  let answer: Answer = null;
  let swept = wallClock.aheadMs();
  while (!stopping.aborted) {
    try {
      const url = simulatorUrl();
      if (url === null) throw new Error("no simulator is known");
      const report = { id, name, ahead_ms: wallClock.aheadMs(), answer };
      const { ahead_ms, pending_ahead_ms } = await ask(url, report, stopping);
      answer = pending_ahead_ms === null ? null : await moveTo(services, pending_ahead_ms);
      if (ahead_ms > wallClock.aheadMs()) await moveTo(services, ahead_ms);
      if (wallClock.aheadMs() === ahead_ms && swept !== ahead_ms) {
        swept = ahead_ms;
        await doDueWork(services);
      }
    } catch (error) {
      services.log.debug({ err: error }, "following the simulator's clock failed; trying again");
      await pause(AGAIN_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

async function ask(url: string, report: object, stopping: AbortSignal) {
  const response = await fetch(`${url}/clock/follow`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(report),
    redirect: "manual",
    signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (Number(response.headers.get("content-length") ?? Infinity) > ANSWER_BYTES_MAX)
    throw new Error("the simulator's response is too long, or has no length");
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the simulator responded with ${response.status}`);
  return stateSchema.parse(JSON.parse(text));
}

/** Moves the clock of the database and of this process, unless something forbids it. */
async function moveTo(services: Services, aheadMs: number): Promise<Answer> {
  const refusal = await refusalOf(services);
  if (refusal !== null) return { ahead_ms: aheadMs, refusal };
  // Another process of the installation may have moved the database already.
  const skippedMs = aheadMs - (await readClockAheadMs(services.sql));
  if (skippedMs > 0) {
    await moveClock(services.sql, aheadMs);
    await skipHeartbeats(services, skippedMs);
    await skipIntakeMinutes(services, skippedMs);
  }
  wallClock.setAheadMs(aheadMs);
  services.log.info({ aheadSeconds: aheadMs / 1000 }, "the demo's clock was moved");
  return { ahead_ms: aheadMs, refusal: null };
}

async function refusalOf(services: Services): Promise<string | null> {
  if (services.config.databaseUrl !== null)
    return "the clock of its own PostgreSQL (DATABASE_URL) can't be moved";
  if (await hasRealChannel(services.orm))
    return "a channel is connected to Meta, and only the clock of a demo can be moved";
  // Claims and deadlines end by the clock: a jump must not end those of a call that is being made.
  for (const endsAtMs = performance.now() + CALLS_END_MS_MAX; ; await pause(ASK_AGAIN_MS)) {
    if ((await countCallsInFlight(services.sql)) === 0) return null;
    if (performance.now() > endsAtMs) return "calls to WhatsApp or to webhook endpoints are in progress";
  }
}

async function doDueWork(services: Services): Promise<void> {
  const isWhole = await sweepDueWork(services);
  await notifyDueCallbacks(services);
  if (isWhole) await recordSweep(services);
  await sweepHourly(services);
  let isMoreToErase: boolean;
  do isMoreToErase = await enforceRetention(services);
  while (isMoreToErase);
}
