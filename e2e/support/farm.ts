import { join } from "node:path";
import { createPool, type Sql } from "@/db/client";
import { startSimulatorProcess, type SimulatorProcess } from "@/e2e/support/simulator-process";
import { type Closers, createClosers } from "@/server/lib/closers";
import type { ProcessRole } from "@/server/platform/config";
import { type Balancer, startBalancer } from "./balancer";
import { createDataDirectory, removeDataDirectory } from "./data-directory";
import { type ExternalPostgres, startExternalPostgres } from "./external-postgres";
import { freePort } from "./free-port";
import { type PgBouncer, startPgBouncer } from "./pgbouncer";
import type { Environment } from "./program";
import { startOnDatabase, type Waypost } from "./waypost";

/** Several processes of Waypost on their own PostgreSQL, and a proxy in front of those that accept requests. */
export interface Farm {
  readonly postgres: ExternalPostgres;
  /** Null if the processes connect to PostgreSQL directly. */
  readonly pgbouncer: PgBouncer | null;
  readonly simulator: SimulatorProcess;
  /** In front of the processes of role `api` or `all`; the upstream's callbacks go there, too. */
  readonly balancer: Balancer;
  /** Direct access to PostgreSQL. Reconnects on its own after an outage. */
  readonly sql: Sql;
  /** The current process at this position in `roles`. */
  process(place: number): Waypost;
  /** Restarts the process at this position, on the same port, after it has ended. */
  restart(place: number): Promise<void>;
  close(): Promise<void>;
}

export interface FarmOptions {
  readonly roles: readonly ProcessRole[];
  readonly asksReadiness?: boolean;
  /** If set, a PgBouncer in transaction mode, with that many connections to PostgreSQL, is in between. */
  readonly poolSize?: number;
  /** If true, each process has a data directory of its own, as on different machines. */
  readonly hasOwnDisks?: boolean;
  /** For every process, in addition to the variables that let them find each other. */
  readonly env?: Environment;
}

const SECRET = "a secret of the tests, the same for every process";

export async function openFarm(options: FarmOptions): Promise<Farm> {
  const closers = createClosers();
  try {
    const createDisk = async () => {
      const directory = await createDataDirectory();
      closers.add(() => removeDataDirectory(directory));
      return directory;
    };
    const dataDir = await createDisk();
    const engines = await openEngines(closers, dataDir, options.poolSize);
    const places: Place[] = [];
    for (const role of options.roles) {
      const disk = options.hasOwnDisks === true ? await createDisk() : dataDir;
      places.push({ role, port: await freePort(), dataDir: disk });
    }
    const upstreams = places
      .filter(({ role }) => role === "all" || role === "api")
      .map(({ port }) => `http://127.0.0.1:${port}`);
    const balancer = await startBalancer(upstreams, { asksReadiness: options.asksReadiness ?? false });
    closers.add(balancer.close);
    const { postgres, pgbouncer, simulator } = engines;
    const sql = createPool({ url: postgres.url }, { name: "farm-test", connectionsMax: 2 });
    closers.add(() => sql.end({ timeout: 1 }));
    const env = {
      LOG_LEVEL: "warn",
      WAYPOST_SECRET: SECRET,
      WAYPOST_PUBLIC_URL: balancer.url,
      WAYPOST_SIMULATOR_URL: simulator.url,
      ...options.env,
      DATABASE_URL: pgbouncer?.url ?? postgres.url,
    };
    const start = ({ role, port, dataDir: disk }: Place) =>
      startOnDatabase({ ...env, WAYPOST_ROLE: role, PORT: String(port) }, disk);
    const processes = await startAll(closers, places, start);
    return { ...engines, ...processes, balancer, sql, close: () => closers.closeAll() };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

interface Place {
  readonly role: ProcessRole;
  readonly port: number;
  readonly dataDir: string;
}

async function openEngines(
  closers: Closers,
  dataDir: string,
  poolSize: number | undefined,
): Promise<Pick<Farm, "postgres" | "pgbouncer" | "simulator">> {
  const close = (running: { close(): Promise<void> }) => running.close();
  const [postgres, simulator] = await Promise.all([
    closers.open(startExternalPostgres, close),
    closers.open(() => startSimulatorProcess(join(dataDir, "upstream")), close),
  ]);
  if (poolSize === undefined) return { postgres, simulator, pgbouncer: null };
  const pgbouncer = await closers.open(() => startPgBouncer(postgres, { poolSize }), close);
  return { postgres, simulator, pgbouncer };
}

async function startAll(
  closers: Closers,
  places: readonly Place[],
  start: (place: Place) => Promise<Waypost>,
): Promise<Pick<Farm, "process" | "restart">> {
  const running: Waypost[] = [];
  closers.add(async () => void (await Promise.all(running.map((one) => one.stop()))));
  const starting = places.map(async (place, index) => void (running[index] = await start(place)));
  // Waits for all, so that one failure leaves no other process behind.
  const failed = (await Promise.allSettled(starting)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  const at = <Item>(items: readonly Item[], place: number): Item => {
    const item = items[place];
    if (item === undefined) throw new Error(`The farm has no process ${place}`);
    return item;
  };
  return {
    process: (place) => at(running, place),
    restart: async (place) => void (running[place] = await start(at(places, place))),
  };
}
