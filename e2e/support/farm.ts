import { join } from "node:path";
import { createPool, type Sql } from "@/db/client";
import { startSimulatorProcess, type SimulatorProcess } from "@/e2e/crash/simulator-process";
import { createClosers } from "@/server/closers";
import type { ProcessRole } from "@/server/config";
import { type Balancer, startBalancer } from "./balancer";
import { createDataDirectory, removeDataDirectory } from "./data-directory";
import { type ExternalPostgres, startExternalPostgres } from "./external-postgres";
import { freePort } from "./free-port";
import { type PgBouncer, startPgBouncer } from "./pgbouncer";
import type { Environment } from "./program";
import { startOnDatabase, type Waypost } from "./waypost";

/** Several processes of Waypost on a PostgreSQL of their own, and a proxy before those that take requests. */
export interface Farm {
  readonly postgres: ExternalPostgres;
  /** Null where the processes reach PostgreSQL directly. */
  readonly pgbouncer: PgBouncer | null;
  readonly simulator: SimulatorProcess;
  /** Before the processes of role `api` or `all`; where the upstream's callbacks go, too. */
  readonly balancer: Balancer;
  /** Straight to PostgreSQL. Comes back by itself after it was away. */
  readonly sql: Sql;
  /** The process that runs now at this place in `roles`. */
  process(place: number): Waypost;
  /** Starts the process at this place again, on the same port, after it has ended. */
  restart(place: number): Promise<void>;
  close(): Promise<void>;
}

export interface FarmOptions {
  readonly roles: readonly ProcessRole[];
  readonly asksReadiness?: boolean;
  /** PgBouncer in transaction mode, with so many connections to PostgreSQL, is between. */
  readonly poolSize?: number;
  /** For every process, beyond what lets them find each other. */
  readonly env?: Environment;
}

const SECRET = "a secret of the tests, the same for every process";

export async function openFarm(options: FarmOptions): Promise<Farm> {
  const { roles, asksReadiness = false, poolSize } = options;
  const closers = createClosers();
  try {
    const dataDir = await createDataDirectory();
    closers.add(() => removeDataDirectory(dataDir));
    const [postgres, simulator] = await Promise.all([
      closers.open(startExternalPostgres, (running) => running.close()),
      closers.open(
        () => startSimulatorProcess(join(dataDir, "upstream")),
        (running) => running.close(),
      ),
    ]);
    const pgbouncer =
      poolSize === undefined
        ? null
        : await closers.open(
            () => startPgBouncer(postgres, { poolSize }),
            (running) => running.close(),
          );
    const places: { readonly role: ProcessRole; readonly port: number }[] = [];
    for (const role of roles) places.push({ role, port: await freePort() });
    const behind = places.filter(({ role }) => role === "all" || role === "api");
    const upstreams = behind.map(({ port }) => `http://127.0.0.1:${port}`);
    const balancer = await startBalancer(upstreams, { asksReadiness });
    closers.add(balancer.close);
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
    const start = ({ role, port }: (typeof places)[number]) =>
      startOnDatabase({ ...env, WAYPOST_ROLE: role, PORT: String(port) }, dataDir);
    const running = await Promise.all(places.map(start));
    closers.add(async () => void (await Promise.all(running.map((one) => one.stop()))));
    const at = <Item>(items: readonly Item[], place: number): Item => {
      const item = items[place];
      if (item === undefined) throw new Error(`The farm has no process ${place}`);
      return item;
    };
    return {
      postgres,
      pgbouncer,
      simulator,
      balancer,
      sql,
      process: (place) => at(running, place),
      restart: async (place) => void (running[place] = await start(at(places, place))),
      close: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}
