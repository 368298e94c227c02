import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { CLOCK_LOCK, moveClock, readClockAheadMs } from "@/db/movable-clock";
import type { Services } from "@/server/core/context";
import { recordSweep, skipHeartbeats } from "@/server/core/queue/heartbeats";
import { notifyDueCallbacks } from "@/server/domain/callbacks/due";
import { skipIntakeMinutes } from "@/server/domain/messages/sweep";
import { enforceRetention } from "@/server/domain/retention/enforce";
import { sweepDueWork, sweepHourly } from "@/server/domain/sweep";
import { newCalls } from "@/server/lib/new-calls";
import { wallClock } from "@/server/lib/wall-clock";
import { callSimulator } from "@/server/adapters/simulator/call";
import { countCallsInFlight, hasRealChannel, holdClaims } from "./claim";

/** The simulator answers within 25 seconds. */
const TIMEOUT_MS = 35_000;
const AGAIN_AFTER_MS = 2_000;
const CALLS_END_MS_MAX = 25_000;
const ASK_AGAIN_MS = 20;
/** From the question whether the clock can be moved. Calls have ended by then, or the move is refused. */
const CALLS_HELD_MS_MAX = CALLS_END_MS_MAX + 5_000;

const stateSchema = z.object({
  ahead_ms: z.number(),
  move: z.object({ to_ms: z.number(), step: z.enum(["ask", "go"]) }).nullable(),
});

interface FollowOptions {
  readonly services: Services;
  /** Read at every call, because the owner's simulator can start again at another port. */
  readonly simulatorUrl: () => string | null;
  /** Whether this process does the work that is due after a move. */
  readonly runsJobs: boolean;
  /** Shown to the person who moves the clock. */
  readonly name: string;
}

type Answer = { readonly to_ms: number; readonly refusal: string | null } | null;

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

async function follow(options: FollowOptions, stopping: AbortSignal): Promise<void> {
  const { services, simulatorUrl, name, runsJobs } = options;
  const id = randomUUID();
  let answer: Answer = null;
  let settledMs = wallClock.aheadMs();
  while (!stopping.aborted) {
    try {
      const url = simulatorUrl();
      if (url === null) throw new Error("no simulator is known");
      const report = { id, name, ahead_ms: wallClock.aheadMs(), answer };
      const { ahead_ms, move } = await ask(url, report, stopping);
      answer = null;
      if (move?.step === "ask") answer = { to_ms: move.to_ms, refusal: await refusalOf(services) };
      const target = move?.step === "go" ? move.to_ms : ahead_ms;
      if (target > wallClock.aheadMs()) await moveTo(services, target);
      if (move === null) newCalls.release();
      if (move === null && settledMs < wallClock.aheadMs()) {
        settledMs = wallClock.aheadMs();
        if (runsJobs) doDueWork(services);
      }
    } catch (error) {
      newCalls.release();
      services.log.debug({ err: error }, "following the simulator's clock failed; trying again");
      await pause(AGAIN_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  newCalls.release();
}

async function ask(url: string, report: object, stopping: AbortSignal) {
  const { status, text } = await callSimulator(`${url}/clock/follow`, {
    method: "POST",
    body: report,
    signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (status !== 200) throw new Error(`the simulator responded with ${status}`);
  return stateSchema.parse(JSON.parse(text));
}

const OWN_DATABASE = "the clock of its own PostgreSQL (DATABASE_URL) can't be moved";
const REAL_NUMBER = "a channel is connected to Meta, and only the clock of a demo can be moved";
const CALLS_IN_PROGRESS = "calls to WhatsApp or to webhook endpoints are in progress";

/**
 * Returns why the clock of this installation can't be moved. Holds new calls back, and waits for those in progress.
 * Null if it can be moved: calls stay held back until the move is over.
 */
async function refusalOf({ config, sql }: Services): Promise<string | null> {
  if (config.databaseUrl !== null) return OWN_DATABASE;
  if (await hasRealChannel(sql)) return REAL_NUMBER;
  newCalls.hold(CALLS_HELD_MS_MAX);
  if (await untilTrue(async () => (await countCallsInFlight(sql)) === 0)) return null;
  newCalls.release();
  return CALLS_IN_PROGRESS;
}

/** Repeats a check until it holds. Returns false if it doesn't in the time that calls have to end. */
async function untilTrue(check: () => Promise<boolean>): Promise<boolean> {
  for (const endsAtMs = performance.now() + CALLS_END_MS_MAX; ; await pause(ASK_AGAIN_MS)) {
    if (await check()) return true;
    if (performance.now() > endsAtMs) return false;
  }
}

/**
 * Moves the clock of the database, unless another process of the installation has, and of this process. Claims and
 * deadlines end by the clock, so it waits for a moment without a call in progress.
 * @throws Error if there is no such moment, or if the clock of this installation can't be moved.
 */
async function moveTo({ config, sql, log }: Services, aheadMs: number): Promise<void> {
  if (config.databaseUrl !== null) throw new Error(OWN_DATABASE);
  if (!(await untilTrue(() => sql.begin((tx) => moveUnlessCalled(tx, aheadMs)))))
    throw new Error(CALLS_IN_PROGRESS);
  wallClock.setAheadMs(await readClockAheadMs(sql));
  log.info({ aheadSeconds: wallClock.aheadMs() / 1000 }, "the demo's clock was moved");
}

/** Returns false, and moves nothing, if a call is in progress. */
async function moveUnlessCalled(tx: TransactionSql, aheadMs: number): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(${CLOCK_LOCK})`;
  const skippedMs = aheadMs - (await readClockAheadMs(tx));
  if (skippedMs <= 0) return true;
  if (await hasRealChannel(tx)) throw new Error(REAL_NUMBER);
  await holdClaims(tx);
  if ((await countCallsInFlight(tx)) > 0) return false;
  await moveClock(tx, aheadMs);
  await skipHeartbeats(tx, skippedMs);
  await skipIntakeMinutes(tx, skippedMs);
  return true;
}

let working: Promise<void> = Promise.resolve();

/** Does what has become due, after the work of an earlier move. The clock can be moved again meanwhile. */
function doDueWork(services: Services): void {
  const work = async () => {
    const isWhole = await sweepDueWork(services);
    await notifyDueCallbacks(services);
    if (isWhole) await recordSweep(services);
    await sweepHourly(services);
    let isMoreToErase: boolean;
    do isMoreToErase = await enforceRetention(services);
    while (isMoreToErase && !services.lifecycle.isStopping());
  };
  working = working
    .then(work)
    .catch((error: unknown) =>
      services.log.warn({ err: error }, "the work due after a move of the clock failed"),
    );
}
