import { isIP, isIPv6, type LookupFunction, connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, createSecureContext } from "node:tls";
import { callbackify } from "node:util";
import { failureAtConnect, OutboundError } from "./failure";
import type { Lookup } from "./lookup";

export interface ConnectTarget {
  readonly protocol: string;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  /** Empty for the scheme's default port. */
  readonly port: string;
}

type Connected = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/**
 * Starts a connection and reports the result once: a socket that is ready for a request, or an `OutboundError`. To stop
 * waiting, the caller destroys the returned socket with an error.
 */
export type Connector = (target: ConnectTarget, callback: Connected) => Socket;

export interface ConnectorOptions {
  readonly lookup: Lookup;
  /** Returns true if connecting to this address is allowed. */
  readonly isAllowed: (address: string) => boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly trustedCertificates?: string;
}

/** Number of a name's addresses that are tried, one after the other. */
const ADDRESSES_MAX = 6;
const ADDRESS_TIMEOUT_MS = 2_000;
const SESSIONS_MAX = 500;

/**
 * Creates a connector that only connects to vetted addresses. The name is resolved while the connection is made, and is
 * refused if one of its addresses isn't allowed. The connection goes to one of the checked addresses, even if the name
 * resolves differently a moment later. The certificate is always verified against the name.
 */
export function createConnector({ lookup, isAllowed, trustedCertificates }: ConnectorOptions): Connector {
  const common = {
    lookup: vettedLookup(lookup, isAllowed),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    noDelay: true,
    keepAlive: true,
  };
  const secureContext = createSecureContext({ ca: trustedCertificates });
  const sessions = createSessions();

  return ({ protocol, hostname: host, port }, callback) => {
    if (isIP(host) !== 0 && !isAllowed(host)) throw new OutboundError("forbidden");
    if (protocol !== "https:") {
      const socket = connectTcp({ ...common, host, port: Number(port || 80) });
      return whenReady(socket, "connect", callback);
    }
    const socket = connectTls({
      ...common,
      host,
      port: Number(port || 443),
      servername: isIP(host) === 0 ? host.replace(/\.+$/, "") : "",
      secureContext,
      session: sessions.get(host),
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
    });
    socket.on("session", (session: Buffer) => sessions.set(host, session));
    return whenReady(socket, "secureConnect", callback);
  };
}

function whenReady(socket: Socket, event: "connect" | "secureConnect", callback: Connected): Socket {
  let isAccepted = false;
  let isReported = false;
  return socket
    .once("connect", () => (isAccepted = true))
    .once(event, () => {
      isReported = true;
      callback(null, socket);
    })
    .on("error", (error) => {
      if (isReported) return;
      isReported = true;
      callback(new OutboundError(failureAtConnect(error, isAccepted), error), null);
    });
}

function vettedLookup(lookup: Lookup, isAllowed: (address: string) => boolean): LookupFunction {
  const vetted = callbackify(async (host: string) => {
    const addresses = await lookup(host).catch((error: unknown) => {
      throw new OutboundError("dns", error);
    });
    if (addresses.length === 0) throw new OutboundError("dns");
    if (!addresses.every(isAllowed)) throw new OutboundError("forbidden");
    return addresses.slice(0, ADDRESSES_MAX).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  });
  return (host, _options, callback) => vetted(host, (error, addresses) => callback(error, addresses ?? []));
}

/** Caches recently used TLS sessions by host, for a shorter handshake. Only verified connections are cached. */
function createSessions() {
  const sessions = new Map<string, Buffer>();
  return {
    get: (host: string) => sessions.get(host),
    set(host: string, session: Buffer) {
      sessions.delete(host);
      sessions.set(host, session);
      const [oldest] = sessions.size > SESSIONS_MAX ? sessions.keys() : [];
      if (oldest !== undefined) sessions.delete(oldest);
    },
  };
}
