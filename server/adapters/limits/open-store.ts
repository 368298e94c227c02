import type { Sql } from "@/db/client";
import type { LimiterConfig } from "@/server/platform/limiter-config";
import type { LimiterStore } from "./limits";
import { createPostgresStore } from "./postgres";
import { openRestLink } from "./rest-link";
import { createSlidingWindowStore } from "./sliding-window";
import { openTcpLink } from "./tcp-link";

export interface OpenLimiterStore {
  readonly store: LimiterStore;
  /** Leaves `sql` open. Never throws. */
  close(): Promise<void>;
}

/** @param sql see `createPostgresStore`; unused by the other stores. */
export function openLimiterStore(config: LimiterConfig, sql: Sql): OpenLimiterStore {
  if (config.kind !== "postgres") return openLinkedStore(config);
  return { store: createPostgresStore(sql), close: async () => undefined };
}

/** Opens a store outside the database. */
export function openLinkedStore(config: Exclude<LimiterConfig, { kind: "postgres" }>): OpenLimiterStore {
  const link = config.kind === "upstash" ? openRestLink(config) : openTcpLink(config.url);
  return { store: createSlidingWindowStore(link), close: () => link.close() };
}
