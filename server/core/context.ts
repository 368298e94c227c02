import type { Logger } from "pino";
import type { Orm, Sql } from "@/db/client";
import type { Actor } from "./actor";
import type { LimitedPasswords } from "@/server/platform/secrets/passwords";
import type { Person } from "@/server/core/actor";
import type { Config } from "@/server/platform/config";
import type { Jobs } from "./jobs";
import type { Limits, RateHeaders } from "@/server/adapters/limits/limits";
import type { ConcurrencyLimiter } from "@/server/lib/concurrency-limiter";
import type { OutboundClient } from "@/server/adapters/outbound/post";
import type { Metrics } from "@/server/adapters/metrics/metrics";
import type { Load } from "./load";
import type { ServiceUrls } from "./service-urls";
import type { IncomingFile } from "@/server/adapters/files/incoming-file";
import type { FileStore, StoredFile } from "@/server/adapters/files/store";
import type { Vault } from "@/server/platform/secrets/vault";
import type { WhatsAppClient } from "@/server/adapters/whatsapp/client";

/** Dependencies shared by all verbs. Created once per process by `createRuntime`. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  /** Hand-written SQL. Used on the request path. */
  readonly sql: Sql;
  /** Used for everything else. A transaction of it must only contain queries that go through it. */
  readonly orm: Orm;
  readonly vault: Vault;
  readonly passwords: LimitedPasswords;
  readonly limits: Limits;
  readonly jobs: Jobs;
  readonly whatsapp: WhatsAppClient;
  /** Stores the bytes of uploads. */
  readonly uploads: FileStore;
  /** Stores the bytes of files that customers sent. */
  readonly customerFiles: FileStore;
  readonly urls: ServiceUrls;
  /** Calls addresses that users entered. */
  readonly outbound: OutboundClient;
  readonly concurrency: Concurrency;
  readonly load: Load;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
}

/** Limits of concurrent outgoing calls. */
export interface Concurrency {
  /** Calls to WhatsApp, by channel. */
  readonly sends: ConcurrencyLimiter;
  /** Webhook calls, by organization. */
  readonly webhooks: ConcurrencyLimiter;
}

/** How far the stop of this process has come. Each state implies the ones before it. */
export interface Lifecycle {
  /** True once the process was asked to stop, or closes. Readiness checks report it. */
  readonly isLeaving: () => boolean;
  /** True once the process claims no new work: immediately, or when an Inngest server no longer calls it. */
  readonly isStopping: () => boolean;
  /** Aborts at the same time, for work that may take longer than the process has left. */
  readonly stopSignal: AbortSignal;
  /** True once the connection pools are closed. Nothing can be stored after that. */
  readonly isClosed: () => boolean;
}

/** A file of a response, with the name that it is sent under. */
export interface GivenFile {
  readonly file: StoredFile;
  readonly mimeType: string;
  readonly filename: string | null;
  /** Used without an extension if there is no `filename`. */
  readonly fallbackName: string;
}

/** The actor and its dependencies. Every verb is called as `verb({ ctx, input })`. */
export interface Context<A extends Actor = Actor> {
  readonly services: Services;
  readonly actor: A;
  readonly requestId: string | null;
  /** Receives the rate-limit headers, so that a transport can send them. */
  readonly noteRate?: (headers: RateHeaders) => void;
  /** The request body, if the route takes a file. */
  readonly file?: IncomingFile;
  /** Receives the file of the response, so that a transport can send it. */
  readonly giveFile?: (file: GivenFile) => void;
}

/** The context of a request before a procedure has authorized it. */
export interface Caller extends Omit<Context, "actor"> {
  /** Null if the request names no organization, or if the person isn't a member of it. */
  readonly actor: Actor | null;
  /** The signed-in person, if the request comes from a page. */
  readonly person?: Person | null;
  /** Address that the request came from. Null if unknown. */
  readonly address?: string | null;
}

/** Context of verbs about a person, independent of the organizations they are a member of. */
export interface PersonContext extends Pick<Context, "services" | "requestId"> {
  readonly person: Person;
}

/** Context of verbs that can be called without signing in. */
export interface OpenContext extends Pick<Context, "services" | "requestId"> {
  readonly person: Person | null;
  readonly address: string | null;
}

/** Creates a value once for each process's services, such as a batcher over their connection pool. */
export function perServices<T>(make: (services: Services) => T): (services: Services) => T {
  const made = new WeakMap<Services, T>();
  return (services) => {
    const known = made.get(services);
    if (known !== undefined) return known;
    const fresh = make(services);
    made.set(services, fresh);
    return fresh;
  };
}
