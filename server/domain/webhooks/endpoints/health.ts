import type { WebhookDisabledReason } from "@/db/schema";
import { backoffSeconds } from "./schedule";
import type { AttemptResult } from "./attempt-result";

/** An endpoint's health, as stored in its row. */
export interface Health {
  readonly failingSince: Date | null;
  readonly lastFailedAt: Date | null;
  readonly warnedAt: Date | null;
  readonly backoffUntil: Date | null;
  readonly backoffSetAt: Date | null;
  readonly backoffStreak: number;
}

export const HEALTHY: Health = {
  failingSince: null,
  lastFailedAt: null,
  warnedAt: null,
  backoffUntil: null,
  backoffSetAt: null,
  backoffStreak: 0,
};

/** The result of one attempt, and when it started. */
export interface Trial {
  readonly startedAt: Date;
  readonly attemptResult: AttemptResult;
}

export interface HealthAfter {
  readonly health: Health;
  /** The failure is reported now. */
  readonly isWarning: boolean;
  /** It is disabled now, for this reason; null if it isn't. */
  readonly disabling: Exclude<WebhookDisabledReason, "member"> | null;
}

const HOUR_MS = 3_600_000;
/** A short failure isn't reported. */
const WARN_AFTER_MS = HOUR_MS;
/** An endpoint that has only failed for this long is disabled. */
export const DISABLE_AFTER_MS = 5 * 24 * HOUR_MS;
/** Longer than the schedule's longest wait: after such a gap without attempts, earlier failures no longer count. */
const FORGOTTEN_AFTER_MS = 60 * HOUR_MS;

/** Updates the health after trials. Pure: the caller holds the row's lock, and stores the result. */
export function healthAfter(before: Health, trials: readonly Trial[], now: Date): HealthAfter {
  if (trials.some(({ attemptResult }) => attemptResult.errorClass === "gone")) {
    return { health: failed(before, now), isWarning: false, disabling: "gone" };
  }
  if (trials.some(({ attemptResult }) => attemptResult.errorClass === null)) {
    return { health: HEALTHY, isWarning: false, disabling: null };
  }
  let health = failed(before, now);
  for (const trial of trials) health = backedOff(health, trial, now);
  const failedForMs = now.getTime() - (health.failingSince ?? now).getTime();
  if (failedForMs >= DISABLE_AFTER_MS) return { health, isWarning: false, disabling: "failing" };
  const isWarning = health.warnedAt === null && failedForMs >= WARN_AFTER_MS;
  return { health: isWarning ? { ...health, warnedAt: now } : health, isWarning, disabling: null };
}

function failed(before: Health, now: Date): Health {
  const isForgotten =
    before.lastFailedAt !== null && now.getTime() - before.lastFailedAt.getTime() > FORGOTTEN_AFTER_MS;
  if (before.failingSince === null || isForgotten) {
    return { ...before, failingSince: now, lastFailedAt: now, warnedAt: null };
  }
  return { ...before, lastFailedAt: now };
}

/**
 * Any response shows that the endpoint is reachable. Calls that were already running when a back-off started don't
 * extend it.
 */
function backedOff(health: Health, { startedAt, attemptResult }: Trial, now: Date): Health {
  if (!attemptResult.backsOff) return { ...health, backoffStreak: 0, backoffUntil: null, backoffSetAt: null };
  if (health.backoffSetAt !== null && startedAt <= health.backoffSetAt) return health;
  const backoffStreak = health.backoffStreak + 1;
  const backoffUntil = new Date(now.getTime() + backoffSeconds(backoffStreak, attemptResult) * 1000);
  return { ...health, backoffStreak, backoffUntil, backoffSetAt: now };
}
