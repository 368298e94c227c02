import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "@/server/core/context";
import { serverRanSecondsAgo } from "@/server/core/queue/heartbeats";

/**
 * The missing capability of a server, in the log's words. A server that refuses events can still run functions by their
 * cron.
 */
export type Lack = "runs no functions" | "accepts no events";

/** Runs the functions in this process while no Inngest server accepts events and runs them. */
export interface Standby {
  /** Takes over immediately, because a call to the Inngest server has failed. */
  takeOver(lack: Lack, error?: unknown): void;
  /** Reports that the server has accepted an event. */
  eventAccepted(): void;
  readonly hasTakenOver: () => boolean;
  /** Resolves when the runs in this process have ended. */
  stop(): Promise<void>;
}

export interface StandbyOptions {
  readonly services: Services;
  readonly inProcess: { start(): void; stop(): Promise<void> };
  /** Sends the server an event that makes it run a function. The run is then visible in the database. */
  readonly probe: () => void;
  /** Called when the server took over again and this process dropped its waiting work. */
  readonly handedBack: () => void;
  /** Facts for the log when this process takes over: the server, and the known reason. */
  readonly facts?: () => Readonly<Record<string, string>>;
  readonly times?: StandbyTimes | undefined;
}

export interface StandbyTimes {
  readonly checkEveryMs: number;
  readonly probeEveryMs: number;
  /** The server runs a sweep every ten seconds. A longer silence triggers a probe. */
  readonly quietSeconds: number;
  /** After a silence of this length, despite the probe, the server counts as absent. */
  readonly awaySeconds: number;
}

const TIMES: StandbyTimes = { checkEveryMs: 1_000, probeEveryMs: 3_000, quietSeconds: 12, awaySeconds: 20 };

/**
 * Checks in the database whether an Inngest server runs functions, in this process or another. If none has for too
 * long, this process runs them, until the server has accepted an event and run a function after that. Running in both
 * places is safe, because each row is claimed by one of them.
 */
export function keepStandby(options: StandbyOptions): Standby {
  const { services, inProcess, probe, handedBack, facts = () => ({}), times = TIMES } = options;
  const { log } = services;
  const stopping = new AbortController();
  const startedAtMs = performance.now();
  let tookOverAtMs: number | null = null;
  let probedAtMs = Number.NEGATIVE_INFINITY;
  /** Time of the first accepted event since the server last refused one, or since this process took over. */
  let tookEventAtMs: number | null = null;

  function takeOver(lack: Lack, error?: unknown): void {
    if (stopping.signal.aborted) return;
    tookEventAtMs = null;
    if (tookOverAtMs !== null) return;
    tookOverAtMs = performance.now();
    const context = error === undefined ? facts() : { err: error, ...facts() };
    log.warn(
      context,
      `the Inngest server ${lack}: this process runs the functions until the server accepts events and runs functions again`,
    );
    inProcess.start();
  }

  async function handBack(): Promise<void> {
    tookOverAtMs = null;
    log.info("the Inngest server accepts events and runs functions again");
    await inProcess.stop();
    if (!stopping.signal.aborted) handedBack();
  }

  async function check(): Promise<void> {
    const nowMs = performance.now();
    const ranSecondsAgo = (await serverRanSecondsAgo(services)) ?? Number.POSITIVE_INFINITY;
    const quietSeconds = Math.min(ranSecondsAgo, (nowMs - startedAtMs) / 1000);
    const isBack = tookEventAtMs !== null && ranSecondsAgo < (nowMs - tookEventAtMs) / 1000;
    if (tookOverAtMs !== null && isBack) await handBack();
    else if (tookOverAtMs === null && quietSeconds > times.awaySeconds) takeOver("runs no functions");
    const isQuiet = quietSeconds > times.quietSeconds || tookOverAtMs !== null;
    if (!isQuiet || nowMs - probedAtMs < times.probeEveryMs) return;
    probedAtMs = nowMs;
    probe();
  }

  const checking = checkRepeatedly(services, check, times.checkEveryMs, stopping.signal);
  return {
    takeOver,
    eventAccepted: () => void (tookEventAtMs ??= performance.now()),
    hasTakenOver: () => tookOverAtMs !== null,
    async stop() {
      stopping.abort();
      await Promise.all([checking, inProcess.stop()]);
    },
  };
}

/** Checks until it is stopped. A failure is logged once until a check succeeds again. */
async function checkRepeatedly(
  { log }: Services,
  check: () => Promise<void>,
  everyMs: number,
  stopping: AbortSignal,
): Promise<void> {
  let isFailing = false;
  while (!stopping.aborted) {
    try {
      await check();
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        log.warn({ err: error }, "checking whether the Inngest server runs the functions failed");
      isFailing = true;
    }
    await pause(everyMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}
