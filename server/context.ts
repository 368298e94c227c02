import type { Logger } from "pino";
import type { Orm, Sql } from "@/db/client";
import type { Actor } from "./api/actor";
import type { Config } from "./config";
import type { ErrorCode } from "./errors";
import type { Jobs } from "./jobs";
import type { Limits, RateHeaders } from "./limits/limits";
import type { Slots } from "./messages/slots";
import type { Metrics } from "./metrics/metrics";
import type { Pressure } from "./pressure";
import type { IncomingFile } from "./uploads/incoming-file";
import type { UploadStore } from "./uploads/store";
import type { Vault } from "./vault";
import type { WhatsAppClient } from "./whatsapp/client";

/** What verbs work with, made once per process by `createRuntime`. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  /** Hand-written SQL: the request path. */
  readonly sql: Sql;
  /** Everything else. Its transactions are for work whose queries all go through it. */
  readonly orm: Orm;
  readonly vault: Vault;
  readonly limits: Limits;
  readonly jobs: Jobs;
  readonly whatsapp: WhatsAppClient;
  /** The bytes of uploads. */
  readonly uploads: UploadStore;
  /** Address of the Cloud API that carries a channel; null where no simulator is known. */
  readonly upstreamUrl: (upstream: "meta" | "simulator") => string | null;
  /** Where the documentation explains a code; null while no address of it is known. */
  readonly docUrl: (code: ErrorCode) => string | null;
  /** Calls upstream that may run at once. */
  readonly slots: Slots;
  readonly pressure: Pressure;
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
