import { isPublicAddress } from "./address";
import type { Connection } from "./connection";
import { createConnector } from "./connector";
import { type Exchange, type Exchanged, exchange } from "./exchange";
import type { OutboundFailure } from "./failure";
import { type Lookup, lookupBySystem, lookupWithin } from "./lookup";
import { createPool, type Lease } from "./pool";
import { vetForm } from "./vet-url";

/** Calls URLs that users supplied; connections are kept per process. */
export interface OutboundClient {
  /**
   * Posts to a URL that is vetted anew with each connection: its form, and every address of its host at the moment of
   * connecting. Redirects are an answer like others, and proxies of the environment are not asked.
   *
   * Where a kept connection is reset before any answer, it is tried once more on a new one: the other side may have
   * closed it just then. So one call can reach a receiver twice.
   *
   * A host has so many calls at once; further ones wait their turn, for as long as it takes, and their time begins with
   * it. Never throws.
   */
  post(call: OutboundCall): Promise<OutboundResult>;
  /** Waits for the calls under way, and ends all connections. What is called afterwards keeps none. */
  close(): Promise<void>;
}

export interface OutboundCall {
  readonly url: string;
  /** Where the caller knows of any (`VettingOptions`). */
  readonly exemptUrls?: ReadonlySet<string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** From looking up the name to the end of the headers. Of the answer's body more is read for two seconds at most. */
  readonly timeoutMs: number;
}

export type OutboundResult =
  | {
      readonly kind: "answered";
      readonly httpStatus: number;
      /** The header as it came. */
      readonly retryAfter: string | null;
      /** The first 2 KB, well-formed and without NUL. */
      readonly answer: string;
      /** Until the headers were there. */
      readonly durationMs: number;
    }
  | { readonly kind: "failed"; readonly failure: OutboundFailure; readonly durationMs: number };

export interface OutboundClientOptions {
  /** Each as `allowedHost` gives it: the operator's exceptions, also for plain http, which the system looks up. */
  readonly allowedPrivateHosts: ReadonlySet<string>;
  /** Calls at once to one scheme, host and port, whoever's they are. */
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
