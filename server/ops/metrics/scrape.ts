import { collectDefaultMetrics } from "prom-client";
import type { Services } from "@/server/core/context";
import { freeBytesOf } from "@/db/free-bytes";
import { isReady, type Readiness } from "@/server/transport/health";
import type { Repeated } from "@/server/core/queue/repeat";
import { versionOf } from "@/server/platform/version";
import { DEGRADABLE_PARTS, type NameOf } from "@/server/adapters/metrics/catalogue";
import { probeDatabase } from "./database-probe";
import { createInstallationReader } from "./installation";
import { watchPauses } from "./watch-pauses";

export interface ScrapeOptions {
  readonly services: Services;
  /** The result of `/readyz`. */
  readonly readiness: () => Promise<Readiness>;
  /** Number of unexpected ends of the embedded PostgreSQL since the start. 0 if this process doesn't own one. */
  readonly postgresRestarts: () => number;
}

export interface Scrape extends Repeated {
  /** The response of `/metrics`. Takes a few seconds at most, whatever the state of the database. */
  text(): Promise<string>;
}

/** Measures this process from now on, and its pauses from the first scrape on. Other values are read on each scrape. */
export async function startScrape(options: ScrapeOptions): Promise<Scrape> {
  const { services } = options;
  const { metrics, config } = services;
  collectDefaultMetrics({ register: metrics.registry });
  const version = await versionOf(config.appRoot);
  metrics.set("waypost_build_info", { version, node: process.version, role: config.role }, 1);
  const probe = probeDatabase(services);
  // A timer of its own, which an idle process that nobody observes needn't pay for.
  let pauses: Repeated | null = null;
  const refreshInstallation = createInstallationReader(services);
  const refreshProcess = processReader(options);
  return {
    async text() {
      pauses ??= watchPauses(metrics);
      await Promise.all([refreshInstallation(), refreshProcess()]);
      return metrics.text();
    },
    stop: async () => void (await Promise.all([probe.stop(), pauses?.stop()])),
  };
}

function processReader({ services, readiness, postgresRestarts }: ScrapeOptions): () => Promise<void> {
  const { metrics, config, limits, concurrency } = services;
  const countUpTo = totals(services);
  return async () => {
    const freeing = freeBytesOf(config.dataDir).catch(() => null);
    const [ready, freeBytes] = await Promise.all([readiness(), freeing]);
    metrics.set("waypost_ready", {}, isReady(ready) ? 1 : 0);
    for (const part of DEGRADABLE_PARTS) {
      const works = ready.degradable?.[part];
      metrics.set("waypost_degraded", { part }, works === undefined ? null : works ? 0 : 1);
    }
    metrics.set("waypost_data_directory_free_bytes", {}, freeBytes);
    metrics.set("waypost_send_slots", {}, config.sendSlots);
    metrics.set("waypost_send_slots_in_use", {}, concurrency.sends.inFlight());
    metrics.set("waypost_webhook_slots", {}, config.webhookSlots);
    metrics.set("waypost_webhook_slots_in_use", {}, concurrency.webhooks.inFlight());
    countUpTo("waypost_limiter_let_through_total", limits.failures());
    countUpTo("waypost_embedded_postgres_restarts_total", postgresRestarts());
  };
}

/** For counters that are kept elsewhere: copies their totals since the start. */
function totals({ metrics }: Services) {
  const counted = new Map<string, number>();
  type Unlabelled = Extract<
    NameOf<"counter">,
    "waypost_limiter_let_through_total" | "waypost_embedded_postgres_restarts_total"
  >;
  return (name: Unlabelled, total: number) => {
    metrics.count(name, {}, Math.max(0, total - (counted.get(name) ?? 0)));
    counted.set(name, total);
  };
}
