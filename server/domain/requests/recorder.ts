import type { Logger } from "pino";
import type { Sql } from "@/db/client";
import { isDatabaseUnavailable } from "@/db/errors";
import type { Services } from "@/server/core/context";
import type { Metrics } from "@/server/adapters/metrics/metrics";
import { createOutageLog } from "@/server/lib/outage-log";
import { wallClock } from "@/server/lib/wall-clock";
import { KEPT_PER_MINUTE_MAX } from "./days";
import {
  addRefusal,
  addSuccess,
  type Batch,
  type CallerId,
  isEmpty,
  newBatch,
  requestsIn,
  storeBatch,
} from "./batch";
import type { RefusedRequest, SucceededRequest } from "./recorded-request";

export interface RequestRecorderOptions {
  readonly sql: Sql;
  readonly vault: Services["vault"];
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How long refusals are collected before they are written together. */
  readonly lingerMs?: number;
  /** The same for successes. Their counts may be older, and are lost if the process is killed in that time. */
  readonly successLingerMs?: number;
  readonly now?: () => number;
}

/** Counts requests of known keys, and stores refusals. Collects in memory, and writes off the request path. */
export interface RequestRecorder {
  /** Records that the request was refused now. Never throws, never waits. */
  refused(request: RefusedRequest): void;
  /** Counts a request that succeeded now. Never throws, never waits. */
  succeeded(request: SucceededRequest): void;
  /** Writes the rest with a single try, and then stops. Never throws. */
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;
const DROPPED = "waypost_unrecorded_requests_total";

const OUTAGE = {
  level: "warn",
  fails: "the API log could not be written, trying again",
  isOver: "the API log is written again",
  counted: "times",
} as const;

/** At most two batches are in memory: one being written, and one collecting new requests. */
export function createRequestRecorder(options: RequestRecorderOptions): RequestRecorder {
  const { lingerMs = 1_000, successLingerMs = 5_000, now = wallClock.nowMs, metrics } = options;
  const isAdmitted = createMinuteCap(KEPT_PER_MINUTE_MAX);
  const writer = createWriter(options);
  let gathering = newBatch();
  let timer: NodeJS.Timeout | null = null;
  /** The next write, or the one in progress. */
  let dueAtMs = Number.POSITIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function write(): Promise<void> {
    if (!(await writer.writeLeft())) return;
    const batch = gathering;
    gathering = newBatch();
    await writer.write(batch);
  }

  function schedule(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    if (isStopped || dueAtMs <= atMs) return;
    dueAtMs = atMs;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      writing = write().finally(() => {
        dueAtMs = Number.POSITIVE_INFINITY;
        if (writer.hasLeft() || gathering.requests.length > 0) schedule(lingerMs);
        else if (!isEmpty(gathering)) schedule(successLingerMs);
      });
    }, afterMs);
    timer.unref();
  }

  return {
    refused(request) {
      if (!addRefusal(gathering, request, now(), isAdmitted)) metrics.count(DROPPED, {});
      schedule(lingerMs);
    },
    succeeded(request) {
      if (!addSuccess(gathering, request, now())) metrics.count(DROPPED, {});
      schedule(successLingerMs);
    },
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await writing;
      await write();
      metrics.count(DROPPED, {}, requestsIn(gathering));
      writer.giveUp();
    },
  };
}

/** Writes batches; keeps a batch that can't be written because the database is unavailable. */
function createWriter({ sql, vault, log, metrics }: RequestRecorderOptions) {
  const outageLog = createOutageLog(log, OUTAGE, {});
  let left: Batch | null = null;

  async function write(batch: Batch): Promise<void> {
    if (isEmpty(batch)) return;
    try {
      await storeBatch({ sql, vault }, batch);
      left = null;
      outageLog.answered();
    } catch (error) {
      left = batch;
      if (isDatabaseUnavailable(error)) return outageLog.failed(error);
      log.error({ err: error }, "writing the API log failed: its requests are lost");
      giveUp();
    }
  }

  function giveUp(): void {
    if (left !== null) metrics.count(DROPPED, {}, requestsIn(left));
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
