import type { TransactionSql } from "@/db/client";
import type { Services } from "@/server/core/context";
import {
  intakeMinutesAgo,
  oldestWaitingCallback,
  silences,
  unconfirmed,
} from "@/server/domain/channels/across-organizations";
import { queueAge } from "@/server/domain/messages/read/queue-age";
import { readJobHeartbeats } from "@/server/core/queue/heartbeats";
import { withinTime } from "@/server/lib/time-limit";
import { createOutageLogs } from "@/server/lib/outage-log";
import { type INSTALLATION_PARTS, METRICS, type NameOf } from "@/server/adapters/metrics/catalogue";
import { callbackAgeSeconds, channelCounts, queuedMessages, unmatchedStatuses, webhookCounts } from "./claim";
import type { Metrics } from "@/server/adapters/metrics/metrics";

/** A query of the database. Its gauges are set when all of them are known. */
interface Part {
  readonly name: (typeof INSTALLATION_PARTS)[number];
  /** How long a result is reused, however often it is requested. */
  readonly freshForMs: number;
  /** Its gauges. They are removed if the query fails. */
  readonly gauges: readonly NameOf<"gauge">[];
  ask(tx: TransactionSql): Promise<(metrics: Metrics) => void>;
}

const CHEAP_MS = 10_000;
const DEAR_MS = 60_000;

/** Uses the same functions as the doctor. */
const PARTS: readonly Part[] = [
  {
    name: "queue",
    freshForMs: CHEAP_MS,
    gauges: [
      "waypost_queue_oldest_due_seconds",
      "waypost_queue_oldest_behind_seconds",
      "waypost_queue_channels",
      "waypost_queue_messages",
    ],
    async ask(tx) {
      const { oldestDueSeconds, oldestBehindSeconds, channels } = await queueAge(tx);
      const queued = await queuedMessages(tx);
      return (metrics) => {
        metrics.set("waypost_queue_oldest_due_seconds", {}, oldestDueSeconds ?? 0);
        metrics.set("waypost_queue_oldest_behind_seconds", {}, oldestBehindSeconds ?? 0);
        metrics.set("waypost_queue_channels", {}, channels);
        metrics.set("waypost_queue_messages", {}, queued);
      };
    },
  },
  {
    name: "doubt",
    freshForMs: CHEAP_MS,
    gauges: ["waypost_messages_in_doubt", "waypost_messages_in_doubt_oldest_seconds"],
    async ask(tx) {
      const { messages, oldestSeconds } = await unconfirmed(tx);
      return (metrics) => {
        metrics.set("waypost_messages_in_doubt", {}, messages);
        metrics.set("waypost_messages_in_doubt_oldest_seconds", {}, oldestSeconds);
      };
    },
  },
  {
    name: "channels",
    freshForMs: CHEAP_MS,
    gauges: ["waypost_channels", "waypost_channels_paused"],
    async ask(tx) {
      const { inUse, paused } = await channelCounts(tx);
      return (metrics) => {
        metrics.set("waypost_channels", {}, inUse);
        for (const reason of METRICS.waypost_channels_paused.labels.reason) {
          metrics.set("waypost_channels_paused", { reason }, paused.get(reason) ?? 0);
        }
      };
    },
  },
  {
    name: "callbacks",
    freshForMs: CHEAP_MS,
    gauges: [
      "waypost_callbacks_waiting_oldest_seconds",
      "waypost_callback_age_seconds",
      "waypost_callback_intake_age_seconds",
      "waypost_statuses_unmatched",
    ],
    async ask(tx) {
      const waiting = await oldestWaitingCallback(tx);
      const ageSeconds = await callbackAgeSeconds(tx);
      const minutesAgo = await intakeMinutesAgo(tx);
      const unmatched = await unmatchedStatuses(tx);
      return (metrics) => {
        metrics.set("waypost_callbacks_waiting_oldest_seconds", {}, waiting?.seconds ?? 0);
        metrics.set("waypost_callback_age_seconds", {}, ageSeconds);
        // The time is recorded in whole minutes, and may be rounded up.
        const intakeSeconds = minutesAgo === null ? null : Math.max(0, minutesAgo * 60);
        metrics.set("waypost_callback_intake_age_seconds", {}, intakeSeconds);
        metrics.set("waypost_statuses_unmatched", {}, unmatched);
      };
    },
  },
  {
    name: "silence",
    freshForMs: DEAR_MS,
    gauges: [
      "waypost_messages_awaiting_status",
      "waypost_messages_expecting_status",
      "waypost_channels_silent",
    ],
    async ask(tx) {
      const byChannel = await silences(tx);
      const sum = (pick: (one: (typeof byChannel)[number]) => number) =>
        byChannel.reduce((total, one) => total + pick(one), 0);
      return (metrics) => {
        metrics.set(
          "waypost_messages_awaiting_status",
          {},
          sum(({ silent }) => silent),
        );
        metrics.set(
          "waypost_messages_expecting_status",
          {},
          sum(({ accepted }) => accepted),
        );
        const silent = byChannel.filter((one) => one.silent === one.accepted);
        metrics.set("waypost_channels_silent", {}, silent.length);
      };
    },
  },
  {
    name: "webhooks",
    freshForMs: CHEAP_MS,
    gauges: ["waypost_webhooks_oldest_due_seconds", "waypost_webhook_endpoints"],
    async ask(tx) {
      const { oldestDueSeconds, endpoints } = await webhookCounts(tx);
      return (metrics) => {
        metrics.set("waypost_webhooks_oldest_due_seconds", {}, oldestDueSeconds);
        for (const state of METRICS.waypost_webhook_endpoints.labels.state) {
          const count = endpoints.find((one) => one.state === state)?.count ?? 0;
          metrics.set("waypost_webhook_endpoints", { state }, count);
        }
      };
    },
  },
  {
    name: "jobs",
    freshForMs: CHEAP_MS,
    gauges: ["waypost_jobs_running", "waypost_sweep_age_seconds"],
    async ask(tx) {
      const { areRun, sweptSecondsAgo } = await readJobHeartbeats(tx);
      return (metrics) => {
        metrics.set("waypost_jobs_running", {}, areRun ? 1 : 0);
        metrics.set("waypost_sweep_age_seconds", {}, sweptSecondsAgo);
      };
    },
  },
];

const TROUBLE = {
  fails: "metrics of this part can't be read from the database",
  isOver: "metrics of this part are read again",
} as const;
const STATEMENT_MAX_MS = 2_000;
/** Prometheus cancels a scrape after 10 s. */
const REFRESH_MAX_MS = 4_000;

/**
 * Refreshes the gauges of the installation if they are outdated: one part after the other, on one connection, shared by
 * all callers. A part that fails is left out, and `waypost_installation_up` and the log report it. Never throws, and
 * never takes longer than four seconds.
 */
export function createInstallationReader(
  { sql, metrics, log }: Pick<Services, "sql" | "metrics" | "log">,
  { refreshMaxMs = REFRESH_MAX_MS, freshForMs }: { refreshMaxMs?: number; freshForMs?: number } = {},
): () => Promise<void> {
  const readAtMs = new Map<Part["name"], number>();
  const troubleOf = createOutageLogs(log, TROUBLE);
  let running: Promise<void> | null = null;
  let reading: Part | null = null;

  const ageMs = ({ name }: Part) => performance.now() - (readAtMs.get(name) ?? Number.NEGATIVE_INFINITY);

  const freshMs = (part: Part) => freshForMs ?? part.freshForMs;

  function forget({ name, gauges }: Part): void {
    readAtMs.delete(name);
    for (const gauge of gauges) metrics.clear(gauge);
    metrics.set("waypost_installation_up", { part: name }, 0);
  }

  async function read(part: Part): Promise<void> {
    reading = part;
    try {
      const report = await sql.begin("read only", async (tx) => {
        // The counts use indexes. The setting keeps the planner from scanning a table of millions because of a wrong
        // estimate.
        await tx`select set_config('statement_timeout', ${String(STATEMENT_MAX_MS)}, true),
          set_config('enable_seqscan', 'off', true)`;
        return part.ask(tx);
      });
      report(metrics);
      readAtMs.set(part.name, performance.now());
      metrics.set("waypost_installation_up", { part: part.name }, 1);
      troubleOf(part.name).answered();
    } catch (error) {
      forget(part);
      troubleOf(part.name).failed(error);
    }
    reading = null;
  }

  async function readStale(): Promise<void> {
    for (const part of PARTS) if (ageMs(part) > freshMs(part)) await read(part);
  }

  return async function refresh(): Promise<void> {
    running ??= readStale().finally(() => (running = null));
    await withinTime(running, refreshMaxMs).catch((error: unknown) => {
      if (reading !== null) troubleOf(reading.name).failed(error);
    });
    for (const part of PARTS) if (ageMs(part) > freshMs(part) + refreshMaxMs) forget(part);
  };
}
