import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import { createOrm, createPool, type DatabaseAddress } from "@/db/client";
import { readClockAheadMs } from "@/db/movable-clock";
import { limitPasswords, type Passwords, SCRYPT_PASSWORDS } from "@/server/platform/secrets/passwords";
import type { Config } from "@/server/platform/config";
import type { Lifecycle, Services } from "./context";
import type { Jobs } from "./jobs";
import { createLimits } from "@/server/adapters/limits/limits";
import { openLimiterStore } from "@/server/adapters/limits/open-store";
import { wallClock } from "@/server/lib/wall-clock";
import { createConcurrencyLimiter } from "@/server/lib/concurrency-limiter";
import { createMetrics, type Metrics } from "@/server/adapters/metrics/metrics";
import { createOutboundClient } from "@/server/adapters/outbound/post";
import { createLoad } from "./load";
import { createServiceUrls, type UrlSources } from "./service-urls";
import { checkSecret } from "@/server/platform/secrets/secret-check";
import { openFileStores } from "@/server/adapters/files/open-stores";
import { createVault } from "@/server/platform/secrets/vault";
import { createWhatsAppClient } from "@/server/adapters/whatsapp/client";
import { measureCalls, measureLimits } from "@/server/adapters/metrics/measure";

export interface ServicesOptions extends UrlSources {
  readonly config: Config;
  readonly address: DatabaseAddress;
  readonly secret: string;
  readonly log: Logger;
  /** The metrics that the log already counts in. New ones are created if absent. */
  readonly metrics?: Metrics;
  /** The password hashing. Defaults to scrypt. In either case, only a few passwords are hashed at the same time. */
  readonly passwords?: Passwords;
  /** Receives the job signals of verbs. */
  readonly jobs: Jobs;
  /** Names the connections, and sets the size of each pool. */
  readonly pools: {
    readonly name: string;
    readonly sql: number;
    readonly orm: number;
    readonly limits: number;
  };
}

export interface OpenServices {
  readonly services: Services;
  /** Records that the process was asked to stop. */
  leave(): void;
  /** Stops claiming new work. */
  stopClaiming(): void;
  /** Closes the pools. Never throws. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_SECONDS = 5;
/**
 * Far longer than any of our statements takes. A query without an answer for this long was lost with its connection.
 */
const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Opens the dependencies of verbs. The database must have this program's schema already.
 * @throws SecretMismatch if the database was created with another secret.
 */
export async function openServices(options: ServicesOptions): Promise<OpenServices> {
  const { config, address, log, pools, jobs } = options;
  const { metrics = createMetrics(), passwords = SCRYPT_PASSWORDS } = options;
  const vault = createVault(options.secret);
  const { sql, orm, limiterSql, closePools } = openPools(address, pools);
  const limiter = openLimiterStore(config.limiter, limiterSql);
  const whatsapp = measureCalls(createWhatsAppClient({ connectionsMax: config.sendSlots }), metrics);
  const outbound = createOutboundClient({
    allowedPrivateHosts: config.allowedPrivateHosts,
    connectionsPerHostMax: config.webhookSlots,
  });
  const { lifecycle, enter } = createLifecycle();
  const close = async () => {
    enter("closed");
    await Promise.allSettled([closePools(), limiter.close(), whatsapp.close(), outbound.close()]);
  };
  try {
    await checkSecret(orm, vault);
    wallClock.setAheadMs(await readClockAheadMs(sql));
  } catch (error) {
    await close();
    throw error;
  }
  const services: Services = {
    config,
    log,
    sql,
    orm,
    vault,
    passwords: limitPasswords(passwords),
    jobs,
    whatsapp,
    ...openFileStores(config.uploads, config.dataDir, log),
    limits: measureLimits(createLimits(limiter.store, log), metrics),
    urls: createServiceUrls(options),
    concurrency: {
      sends: createConcurrencyLimiter(config.sendSlots),
      webhooks: createConcurrencyLimiter(config.webhookSlots),
    },
    outbound,
    load: createLoad(),
    metrics,
    lifecycle,
  };
  return { services, close, leave: () => enter("leaving"), stopClaiming: () => enter("stopping") };
}

function openPools(address: DatabaseAddress, { name, ...connectionsMax }: ServicesOptions["pools"]) {
  const options = { answerTimeoutMs: ANSWER_TIMEOUT_MS };
  const sql = createPool(address, { ...options, name, connectionsMax: connectionsMax.sql });
  const orm = createOrm(address, { ...options, name: `${name}-orm`, connectionsMax: connectionsMax.orm });
  const limiterSql = createPool(address, {
    ...options,
    name: `${name}-limits`,
    connectionsMax: connectionsMax.limits,
  });
  const closePools = () =>
    Promise.allSettled(
      [sql, orm.$client, limiterSql].map((pool) => pool.end({ timeout: CLOSE_TIMEOUT_SECONDS })),
    );
  return { sql, orm, limiterSql, closePools };
}

function createLifecycle(): { lifecycle: Lifecycle; enter(state: "leaving" | "stopping" | "closed"): void } {
  let isLeaving = false;
  let isClosed = false;
  const stopping = new AbortController();
  // Each running upload adds a listener.
  setMaxListeners(0, stopping.signal);
  return {
    lifecycle: {
      isLeaving: () => isLeaving,
      isStopping: () => stopping.signal.aborted,
      stopSignal: stopping.signal,
      isClosed: () => isClosed,
    },
    enter: (state) => {
      isLeaving = true;
      if (state !== "leaving") stopping.abort();
      if (state === "closed") isClosed = true;
    },
  };
}
