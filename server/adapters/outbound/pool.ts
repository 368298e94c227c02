import { type Connection, createConnection } from "./connection";
import type { Connector } from "./connector";

/** Connection pool and call queue, by origin. */
export interface Pool {
  /** Waits for a place at this origin, first come, first served, and releases it after `work`. */
  inTurn<T>(origin: string, connector: Connector, work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Waits for all started work, and closes idle connections. After that, no connection is kept. */
  close(): Promise<void>;
}

export interface Lease {
  /** Returns an idle connection, or else a new one. */
  take(): Connection;
  /** Returns a connection that was never used. */
  takeNew(): Connection;
  /** Returns a reusable connection to the pool. */
  release(connection: Connection): void;
}

interface Host {
  readonly origin: string;
  leases: number;
  readonly waiting: (() => void)[];
  /** The most recently used one is last. */
  readonly idle: Connection[];
}

/** Maximum age of a connection, so that a host in constant use is resolved again, too. */
const CONNECTION_AGE_MS_MAX = 60_000;
/** Maximum for all hosts together, because the number of sockets of a process is limited. */
const IDLE_MAX = 256;

export function createPool({ connectionsPerHostMax }: { connectionsPerHostMax: number }): Pool {
  const hosts = createHosts();
  const idle = createIdle(hosts.forgetIfUnused);
  let begun = 0;
  let allDone: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const open = (host: Host, connector: Connector): Connection => {
    const connection = createConnection(host.origin, connector, () => idle.drop(connection));
    return connection;
  };
  const keep = (host: Host, connection: Connection) => {
    const isOld = performance.now() - connection.openedAtMs > CONNECTION_AGE_MS_MAX;
    if (isOld || closing) connection.end();
    else idle.add(host, connection);
  };
  const leave = (host: Host) => {
    const next = host.waiting.shift();
    if (next) next();
    else host.leases -= 1;
    hosts.forgetIfUnused(host);
    begun -= 1;
    if (begun === 0) allDone?.();
  };

  return {
    async inTurn(origin, connector, work) {
      begun += 1;
      const host = hosts.of(origin);
      if (host.leases < connectionsPerHostMax) host.leases += 1;
      else await new Promise<void>((resolve) => host.waiting.push(resolve));
      try {
        return await work({
          take: () => idle.take(host) ?? open(host, connector),
          takeNew: () => open(host, connector),
          release: (connection) => keep(host, connection),
        });
      } finally {
        leave(host);
      }
    },
    close() {
      idle.dropAll();
      return (closing ??= new Promise((resolve) => {
        if (begun === 0) resolve();
        else allDone = resolve;
      }));
    },
  };
}

/** The hosts that have a call or a connection. */
function createHosts() {
  const hosts = new Map<string, Host>();
  return {
    of(origin: string): Host {
      const host = hosts.get(origin) ?? { origin, leases: 0, waiting: [], idle: [] };
      hosts.set(origin, host);
      return host;
    },
    forgetIfUnused(host: Host) {
      if (host.leases === 0 && host.idle.length === 0) hosts.delete(host.origin);
    },
  };
}

/** The idle connections of each host and of all hosts. */
function createIdle(left: (host: Host) => void) {
  /** In the order of idle time, longest first. */
  const hostOf = new Map<Connection, Host>();

  const drop = (connection: Connection) => {
    const host = hostOf.get(connection);
    if (!host) return;
    hostOf.delete(connection);
    host.idle.splice(host.idle.indexOf(connection), 1);
    connection.end();
    left(host);
  };
  return {
    drop,
    add(host: Host, connection: Connection) {
      host.idle.push(connection);
      hostOf.set(connection, host);
      if (hostOf.size <= IDLE_MAX) return;
      const [longest] = hostOf.keys();
      if (longest) drop(longest);
    },
    take(host: Host): Connection | undefined {
      const connection = host.idle.pop();
      if (connection) hostOf.delete(connection);
      return connection;
    },
    dropAll() {
      for (const connection of hostOf.keys()) drop(connection);
    },
  };
}
