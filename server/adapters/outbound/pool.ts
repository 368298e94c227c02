import { type Connection, createConnection } from "./connection";
import type { Connector } from "./connector";

/** Turns and connections, by origin. */
export interface Pool {
  /** Waits for a turn at this origin, first come first served, and gives it back after `work`. */
  inTurn<T>(origin: string, connector: Connector, work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Waits for all that has begun, and ends what is idle. Afterwards no connection is kept any more. */
  close(): Promise<void>;
}

export interface Lease {
  /** An idle connection, or else a new one. */
  take(): Connection;
  /** A connection that nothing has gone through yet. */
  takeNew(): Connection;
  /** Returns a connection that can be used again. */
  release(connection: Connection): void;
}

interface Host {
  readonly origin: string;
  leases: number;
  readonly waiting: (() => void)[];
  /** The one used last at the end. */
  readonly idle: Connection[];
}

/** A host in constant use is looked up again after so long too. */
const CONNECTION_AGE_MS_MAX = 60_000;
/** Of all hosts together: the system gives a process only so many sockets. */
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

/** The connections that nobody uses, of each host and of all. */
function createIdle(left: (host: Host) => void) {
  /** The one that is idle longest first. */
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
