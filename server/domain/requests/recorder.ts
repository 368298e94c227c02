import type { Logger } from "pino";
import type { Sql } from "@/db/client";
import { isDatabaseUnavailable } from "@/db/errors";
import type { Services } from "@/server/core/context";
import type { Metrics } from "@/server/adapters/metrics/metrics";
import { createOutageLog } from "@/server/lib/outage-log";
import { KEPT_PER_MINUTE_MAX } from "./days";
import { addTo, type CallerId, newBatch, refusedIn, storeBatch, type Batch } from "./batch";
import type { RefusedRequest } from "./refused-request";

export interface RefusalRecorderOptions {
  readonly sql: Sql;
  readonly vault: Services["vault"];
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How long refusals are collected before they are written together. */
  readonly lingerMs?: number;
  readonly now?: () => number;
}

/** Records refusals of known keys. Collects in memory, and writes off the request path. */
export interface RefusalRecorder {
  /** Records that the request was refused now. Never throws, never waits. */
  note(request: RefusedRequest): void;
  /** Writes the rest with a single try, and then stops. Never throws. */
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;
const DROPPED = "waypost_refusals_dropped_total";

const TROUBLE = {
  level: "warn",
  fails: "refused requests could not be written, trying again",
  isOver: "refused requests are written again",
  counted: "times",
} as const;

/** At most two batches are in memory: one being written, and one collecting new refusals. */
export function createRefusalRecorder(options: RefusalRecorderOptions): RefusalRecorder {
  const { lingerMs = 1_000, now = Date.now } = options;
  const isAdmitted = createMinuteCap(KEPT_PER_MINUTE_MAX);
  const writer = createWriter(options);
  let gathering = newBatch();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function write(): Promise<void> {
    if (!(await writer.writeLeft())) return;
    const batch = gathering;
    gathering = newBatch();
    await writer.write(batch);
  }

  function schedule(): void {
    if (timer !== null || isStopped) return;
    timer = setTimeout(() => {
      writing = write().finally(() => {
        timer = null;
        if (writer.hasLeft() || gathering.counts.size > 0) schedule();
      });
    }, lingerMs);
    timer.unref();
  }

  return {
    note(request) {
      if (!addTo(gathering, request, now(), isAdmitted)) options.metrics.count(DROPPED, {});
      schedule();
    },
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await writing;
      await write();
      options.metrics.count(DROPPED, {}, refusedIn(gathering));
      writer.giveUp();
    },
  };
}

/** Writes batches; keeps a batch that can't be written because the database is unavailable. */
function createWriter({ sql, vault, log, metrics }: RefusalRecorderOptions) {
  const outageLog = createOutageLog(log, TROUBLE, {});
  let left: Batch | null = null;

  async function write(batch: Batch): Promise<void> {
    if (batch.counts.size === 0) return;
    try {
      await storeBatch({ sql, vault }, batch);
      left = null;
      outageLog.answered();
    } catch (error) {
      left = batch;
      if (isDatabaseUnavailable(error)) return outageLog.failed(error);
      log.error({ err: error }, "storing refused requests failed: they are lost");
      giveUp();
    }
  }

  function giveUp(): void {
    if (left !== null) metrics.count(DROPPED, {}, refusedIn(left));
    left = null;
  }

  return {
    write,
    /** Retries the kept batch. @returns whether none is left. */
    async writeLeft(): Promise<boolean> {
      if (left !== null) await write(left);
      return left === null;
    },
    hasLeft: () => left !== null,
    giveUp,
  };
}

/**
 * Limits each caller's refusals per minute of the clock. The database enforces the limit exactly; this keeps batches
 * small.
 */
function createMinuteCap(perMinuteMax: number): (id: CallerId, nowMs: number) => boolean {
  let minute = Number.NaN;
  const admitted = new Map<CallerId, number>();
  return (id, nowMs) => {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current !== minute) admitted.clear();
    minute = current;
    const count = (admitted.get(id) ?? 0) + 1;
    if (count <= perMinuteMax) admitted.set(id, count);
    return count <= perMinuteMax;
  };
}
