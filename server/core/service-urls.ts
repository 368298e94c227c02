import { PUBLIC_CODES } from "@/server/platform/errors";
import type { Config } from "@/server/platform/config";
import type { ErrorCode } from "@/server/platform/errors";
import { servedBy } from "@/server/platform/served-by";

/** Each demo organization has a webhook inbox below this path, by its id. */
export const INBOX_PATH = "/api/demo/inbox";

/** Addresses of this service and of the Cloud API. They can change while a process runs, so don't keep them. */
export interface ServiceUrls {
  /**
   * Returns the base URLs of this service that are known, without a trailing slash. That of this process comes first.
   * Empty in a process that serves no requests.
   */
  readonly own: () => readonly string[];
  /** Returns the base URL of this service for its clients, without a trailing slash. Null if it isn't known. */
  readonly forClients: () => string | null;
  /** Returns the address of the Cloud API that serves a channel. Null if no simulator is known. */
  readonly upstream: (upstream: "meta" | "simulator") => string | null;
  /** Returns the documentation page of an error code. Null while no address of the documentation is known. */
  readonly documentation: (code: ErrorCode) => string | null;
}

export interface UrlSources {
  readonly config: Pick<Config, "publicUrl" | "role" | "graphUrl">;
  /** Read at every call, because the simulator can start later. */
  readonly simulatorUrl: () => string | null;
  /** Base URL of this process. Null until it listens. Absent if it serves no requests. */
  readonly processUrl?: () => string | null;
  /** Base URL of the process that owns the data directory. Absent if this process is the owner, or knows none. */
  readonly ownerUrl?: () => string | null;
}

const unknown = () => null;

export function createServiceUrls({
  config,
  simulatorUrl,
  processUrl,
  ownerUrl = unknown,
}: UrlSources): ServiceUrls {
  const { publicUrl, role, graphUrl } = config;
  const ofProcess = () => processUrl?.() ?? null;
  return {
    forClients: () => publicUrl ?? ofProcess(),
    own: () => (processUrl ? [processUrl(), ownerUrl(), publicUrl].filter((url) => url !== null) : []),
    upstream: (upstream) => (upstream === "meta" ? graphUrl : simulatorUrl()),
    documentation: (code) => {
      const base = publicUrl ?? (servedBy(role, "/docs") ? ofProcess() : null);
      const isDocumented = PUBLIC_CODES.some((known) => known === code);
      return base === null || !isDocumented ? null : `${base}/docs/errors#${code}`;
    },
  };
}

/** Returns the path that receives webhooks of a demo organization, below a base URL of this service. */
export const inboxPath = (organizationId: string): string => `${INBOX_PATH}/${organizationId}`;

/**
 * Returns the organization's inbox at each base URL of this service. Webhooks may be posted to it although its address
 * isn't public.
 */
export function inboxUrls(urls: Pick<ServiceUrls, "own">, organizationId: string): ReadonlySet<string> {
  return new Set(urls.own().map((baseUrl) => `${baseUrl}${inboxPath(organizationId)}`));
}
