import type { Logger } from "pino";
import type { Orm, Sql } from "@/db/client";
import type { Actor } from "./actor";
import type { LimitedPasswords } from "@/server/platform/secrets/passwords";
import type { Person } from "@/server/core/actor";
import type { Config } from "@/server/platform/config";
import type { ErrorCode } from "@/server/platform/errors";
import type { Jobs } from "./jobs";
import type { Limits, RateHeaders } from "@/server/adapters/limits/limits";
import type { ConcurrencyLimiter } from "@/server/lib/concurrency-limiter";
import type { OutboundClient } from "@/server/adapters/outbound/post";
import type { Metrics } from "@/server/adapters/metrics/metrics";
import type { Load } from "./load";
import type { IncomingFile } from "@/server/adapters/files/incoming-file";
import type { UploadStore } from "@/server/adapters/files/store";
import type { Vault } from "@/server/platform/secrets/vault";
import type { WhatsAppClient } from "@/server/adapters/whatsapp/client";

/** Dependencies shared by all verbs. Created once per process by `createRuntime`. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  /** Hand-written SQL: the request path. */
  readonly sql: Sql;
  /** Everything else. Its transactions are for work whose queries all go through it. */
  readonly orm: Orm;
  readonly vault: Vault;
  readonly passwords: LimitedPasswords;
  readonly limits: Limits;
  readonly jobs: Jobs;
  readonly whatsapp: WhatsAppClient;
  /** The bytes of uploads. */
  readonly uploads: UploadStore;
  /** Address of the Cloud API that carries a channel; null where no simulator is known. */
  readonly upstreamUrl: (upstream: "meta" | "simulator") => string | null;
  /** Where the documentation explains a code; null while no address of it is known. */
  readonly docUrl: (code: ErrorCode) => string | null;
  /** Limits how many calls to WhatsApp run at once. */
  readonly sendConcurrency: ConcurrencyLimiter;
  /** Calls to addresses that users gave. */
  readonly outbound: OutboundClient;
  /** Addresses of the organization's inbox in the demo, which may be called though they aren't public. */
  readonly inboxUrls: (organizationId: string) => ReadonlySet<string>;
  /** Limits how many webhook calls run at once. */
  readonly webhookConcurrency: ConcurrencyLimiter;
  readonly load: Load;
  readonly metrics: Metrics;
  /** True once the process is told to end: it says so to who asks whether it is ready. */
  readonly isLeaving: () => boolean;
  /** True once nothing new is claimed: at once, or when an Inngest server calls here no more. */
  readonly isStopping: () => boolean;
  /** Aborts then, for what would take longer than a process may to end. */
  readonly stopping: AbortSignal;
  /** True once the pools are closed: what couldn't be stored by then never will be. */
  readonly isClosed: () => boolean;
}

/** Who acts, and with what. Every verb is `verb({ ctx, input })`. */
export interface Context<A extends Actor = Actor> {
  readonly services: Services;
  readonly actor: A;
  readonly requestId: string | null;
  /** Told the headers of a unit that was taken, where a transport wants to show them. */
  readonly noteRate?: (headers: RateHeaders) => void;
  /** The body of a request whose route takes a file. */
  readonly file?: IncomingFile;
}

/** What a request brings, before a procedure has let it in. */
export interface Caller extends Omit<Context, "actor"> {
  /** Null where no organization is named, or the person isn't a member of it. */
  readonly actor: Actor | null;
  /** Who is signed in, of a request from a page. */
  readonly person?: Person | null;
  /** Where the request came from; null where that isn't known. */
  readonly address?: string | null;
}

/** What verbs about a person work with, whatever organizations they are a member of. */
export interface PersonContext extends Pick<Context, "services" | "requestId"> {
  readonly person: Person;
}

/** What verbs work with that somebody may call who isn't signed in. */
export interface OpenContext extends Pick<Context, "services" | "requestId"> {
  readonly person: Person | null;
  readonly address: string | null;
}

/** Something made once for each process's services, such as a batcher over their pool. */
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
