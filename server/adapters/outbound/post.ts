import { isPublicAddress } from "./address";
import type { Connection } from "./connection";
import { createConnector } from "./connector";
import { type Exchange, type Exchanged, exchange } from "./exchange";
import type { OutboundFailure } from "./failure";
import { type Lookup, lookupBySystem, lookupWithin } from "./lookup";
import { createPool, type Lease } from "./pool";
import { vetForm } from "./vet-url";

/** Calls URLs that users entered. Connections are kept per process. */
export interface OutboundClient {
  /**
   * Posts to a URL. Every new connection checks it: its form, and every address of its host at the moment of
   * connecting. Redirects count as a response like any other, and proxies in the environment are not used.
   *
   * If a kept connection is reset before any response, the call is retried once on a new one, because the other side
   * may have closed it at that moment. So one call can reach a receiver twice.
   *
   * The number of concurrent calls to a host is limited. Further ones wait without a time limit, and their timeout
   * starts when their turn comes. Never throws.
   */
  post(call: OutboundCall): Promise<OutboundResult>;
  /** Waits for calls in progress, and closes all connections. Later calls keep none. */
  close(): Promise<void>;
}

export interface OutboundCall {
  readonly url: string;
  /** If the caller has any (`VettingOptions`). */
  readonly exemptUrls?: ReadonlySet<string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /**
   * Time limit from the name lookup to the end of the headers. The response's body is read for at most two seconds
   * more.
   */
  readonly timeoutMs: number;
}

export type OutboundResult =
  | {
      readonly kind: "answered";
      readonly httpStatus: number;
      /** The value of the header, unchanged. */
      readonly retryAfter: string | null;
      /** The first 2 KB, well-formed and without NUL. */
      readonly answer: string;
      /** Time until the headers had arrived. */
      readonly durationMs: number;
    }
  | { readonly kind: "failed"; readonly failure: OutboundFailure; readonly durationMs: number };

export interface OutboundClientOptions {
  /**
   * The operator's exceptions, in the form of `allowedHost`. They also allow plain http, and the system resolves them.
   */
  readonly allowedPrivateHosts: ReadonlySet<string>;
  /** Maximum number of concurrent calls to one scheme, host and port, for all owners together. */
  readonly connectionsPerHostMax: number;
  readonly lookup?: Lookup;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly trustedCertificates?: string;
}

const lookupPatiently = lookupWithin({ timeoutMs: 5_000, triesMax: 2 });

export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const {
    allowedPrivateHosts,
    connectionsPerHostMax,
    lookup = lookupPatiently,
    trustedCertificates,
  } = options;
  const guarded = createConnector({ lookup, isAllowed: isPublicAddress, trustedCertificates });
  const exempt = createConnector({ lookup: lookupBySystem, isAllowed: () => true, trustedCertificates });
  const pool = createPool({ connectionsPerHostMax });
  return {
    async post({ url: text, exemptUrls, headers, body, timeoutMs }) {
      const form = vetForm(text, { allowedPrivateHosts, exemptUrls });
      if (form.kind === "forbidden") return { kind: "failed", failure: "forbidden", durationMs: 0 };
      const { url, isExempt } = form;
      return pool.inTurn(url.origin, isExempt ? exempt : guarded, async (lease) => {
        const startedAtMs = performance.now();
        const deadlineMs = startedAtMs + timeoutMs;
        const path = `${url.pathname}${url.search}`;
        return resultOf(await postInTurn(lease, { path, headers, body, deadlineMs }), startedAtMs);
      });
    },
    close: () => pool.close(),
  };
}

async function postInTurn(lease: Lease, call: Exchange): Promise<Exchanged> {
  const connection = lease.take();
  const exchanged = await postThrough(connection, lease, call);
  const isStale = connection.hasServed && exchanged.kind === "failed" && exchanged.failure === "reset";
  return isStale ? postThrough(lease.takeNew(), lease, call) : exchanged;
}

async function postThrough(connection: Connection, lease: Lease, call: Exchange): Promise<Exchanged> {
  const exchanged = await exchange(connection, call);
  if (exchanged.kind === "answered" && exchanged.isWhole) lease.release(connection);
  return exchanged;
}

function resultOf(exchanged: Exchanged, startedAtMs: number): OutboundResult {
  if (exchanged.kind === "failed") {
    return { ...exchanged, durationMs: Math.round(performance.now() - startedAtMs) };
  }
  const { kind, httpStatus, retryAfter, answer, answeredAtMs } = exchanged;
  return { kind, httpStatus, retryAfter, answer, durationMs: Math.round(answeredAtMs - startedAtMs) };
}
