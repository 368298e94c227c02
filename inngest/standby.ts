import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "@/server/context";
import { serverRanSecondsAgo } from "@/server/process/jobs-seen";

/** Runs the functions in this process for as long as no Inngest server does. */
export interface Standby {
  /** The server is known to be away, before its silence shows it. */
  takeOver(): void;
  readonly hasTakenOver: () => boolean;
  /** Resolves when what runs here has ended. */
  stop(): Promise<void>;
}

export interface StandbyOptions {
  readonly services: Services;
  readonly inProcess: { start(): void; stop(): Promise<void> };
  /** Asks the server to run something, and is told nothing: what it runs is seen in the database. */
  readonly probe: () => void;
  readonly times?: StandbyTimes | undefined;
}

export interface StandbyTimes {
  readonly lookEveryMs: number;
  readonly probeEveryMs: number;
  /** The server runs a sweep every ten seconds: a longer silence is asked about. */
  readonly quietSeconds: number;
  /** So long a silence, asked about in vain, is its absence. */
  readonly awaySeconds: number;
}

const TIMES: StandbyTimes = { lookEveryMs: 1_000, probeEveryMs: 3_000, quietSeconds: 12, awaySeconds: 20 };

/**
 * Sees in the database whether an Inngest server runs functions, in this process or another. When none has for so long,
 * this process runs them, until the server does again. Both at once do no harm: rows are claimed by one of them.
 */
export function keepStandby({ services, inProcess, probe, times = TIMES }: StandbyOptions): Standby {
  const { log } = services;
  const stopping = new AbortController();
  const startedAtMs = performance.now();
  let tookOverAtMs: number | null = null;
  let probedAtMs = Number.NEGATIVE_INFINITY;

  function takeOver(): void {
    if (tookOverAtMs !== null || stopping.signal.aborted) return;
    tookOverAtMs = performance.now();
    log.warn("the Inngest server runs no functions: this process runs them until it does");
    inProcess.start();
  }

  async function handBack(): Promise<void> {
    tookOverAtMs = null;
    log.info("the Inngest server runs functions again");
    await inProcess.stop();
  }

  async function look(): Promise<void> {
    const nowMs = performance.now();
    const ranSecondsAgo = (await serverRanSecondsAgo(services)) ?? Number.POSITIVE_INFINITY;
    const quietSeconds = Math.min(ranSecondsAgo, (nowMs - startedAtMs) / 1000);
    if (tookOverAtMs !== null && ranSecondsAgo < (nowMs - tookOverAtMs) / 1000) await handBack();
    else if (quietSeconds > times.awaySeconds) takeOver();
    const isQuiet = quietSeconds > times.quietSeconds || tookOverAtMs !== null;
    if (!isQuiet || nowMs - probedAtMs < times.probeEveryMs) return;
    probedAtMs = nowMs;
    probe();
  }

  const looking = lookRepeatedly(services, look, times.lookEveryMs, stopping.signal);
  return {
    takeOver,
    hasTakenOver: () => tookOverAtMs !== null,
    async stop() {
      stopping.abort();
      await Promise.all([looking, inProcess.stop()]);
    },
  };
}

/** Until it is stopped. A failure is logged once until it succeeds again. */
async function lookRepeatedly(
  { log }: Services,
  look: () => Promise<void>,
  everyMs: number,
  stopping: AbortSignal,
): Promise<void> {
  let isFailing = false;
  while (!stopping.aborted) {
    try {
      await look();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, "it can't be seen whether the Inngest server runs functions");
      isFailing = true;
    }
    await pause(everyMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}
