import { checkCallbacks } from "./check-callbacks";
import { checkClock } from "./check-clock";
import { checkDatabase } from "./check-database";
import { checkDisk } from "./check-disk";
import { checkFileStore } from "./check-file-store";
import { checkJobs } from "./check-jobs";
import { checkLimiter } from "./check-limiter";
import { checkSecretValue } from "./check-secret";
import { checkUpstream } from "./check-upstream";
import { checkWebhooks } from "./check-webhooks";
import { type State, warn, worstOf } from "./finding";
import type { Installation, UsableInstallation } from "./installation";
import { type Check, type Line, perform } from "./perform";

/** Checks that work without the database. */
const WITHOUT_DATABASE = [
  { name: "disk", timeoutMs: 5_000, run: (installation) => checkDisk(installation) },
  { name: "files", timeoutMs: 40_000, run: checkFileStore },
] as const satisfies readonly Check<Installation>[];

/** Uses the database only if it is the limiter's store. */
const LIMITER: Check<Installation> = { name: "limiter", timeoutMs: 10_000, run: checkLimiter };

const DATABASE: Check<Installation> = { name: "database", timeoutMs: 10_000, run: checkDatabase };

/** Checks that use the database, after it has responded. */
const WITH_DATABASE = [
  { name: "secret", timeoutMs: 10_000, run: checkSecretValue },
  { name: "clock", timeoutMs: 10_000, run: (installation) => checkClock(installation) },
  { name: "jobs", timeoutMs: 15_000, run: checkJobs },
  { name: "callbacks", timeoutMs: 30_000, run: checkCallbacks },
  { name: "webhooks", timeoutMs: 15_000, run: checkWebhooks },
  { name: "upstream", timeoutMs: 40_000, run: (installation) => checkUpstream(installation) },
] as const satisfies readonly Check<UsableInstallation>[];

export interface Examination {
  /** The worst state of the lines. */
  readonly state: State;
  readonly lines: readonly Line[];
}

/**
 * Checks every part of an installation. Changes nothing, and never throws: a check that fails or takes too long has its
 * own line.
 */
export async function examine(installation: Installation): Promise<Examination> {
  const database = await perform(DATABASE, installation);
  const usable = usableOf(installation, database);
  const isLimiterApart = installation.config.limiter.kind !== "postgres";
  const others = await Promise.all([
    ...WITHOUT_DATABASE.map((check) => perform(check, installation)),
    isLimiterApart || usable !== null ? perform(LIMITER, installation) : [unasked(LIMITER.name)],
    ...WITH_DATABASE.map((check) => (usable === null ? [unasked(check.name)] : perform(check, usable))),
  ]);
  const lines = [...database, ...others.flat()];
  return { state: worstOf(lines.map(({ state }) => state)), lines };
}

function usableOf(installation: Installation, found: readonly Line[]): UsableInstallation | null {
  const { database } = installation;
  const isSound = worstOf(found.map(({ state }) => state)) !== "fail";
  return database.kind === "reached" && isSound ? { ...installation, database } : null;
}

function unasked(check: string): Line {
  return { check, ...warn(check, "not checked: it needs the database", "Check the result of `database`.") };
}
