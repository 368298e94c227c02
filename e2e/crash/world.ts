import { join } from "node:path";
import { createPool, type Sql } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { freePort } from "@/e2e/support/free-port";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { attachWaypost, startWaypost, type Waypost } from "@/e2e/support/waypost";
import { createClosers } from "@/server/lib/closers";
import { type Fate, fateOf, untilHandedUpstream } from "./fate";
import { type Sending, startSending, textsTo } from "./clients";
import { startSimulatorProcess, type SimulatorProcess } from "@/e2e/support/simulator-process";

const CUSTOMERS = 100;
/** Killed or stopped when this many messages have been handed upstream. */
const UNDER_WAY = 40;
/** A killed process's calls are given up after 50 s, its claims after 60 s; the sweep runs every 10 s. */
const FINISHED_MS_MAX = 110_000;

/** A real server on a port and in a data directory that outlive it. */
export interface Processes {
  /** The current server. */
  readonly server: () => Waypost;
  /** A separate process, so that it outlives the server; null if the server runs its own. */
  readonly simulator: SimulatorProcess | null;
  /** Direct access to the server's database. Reconnects on its own after an outage. */
  readonly sql: Sql;
  readonly dataDir: string;
  /** Restarts the server on the same port and data. */
  restart(): Promise<void>;
  /** Starts a second process on the server's database. The caller stops it. */
  attach(): Promise<Waypost>;
  close(): Promise<void>;
}

export interface CrashWorld extends Processes {
  /** Starts sending that many messages, or more until `untilStatus`; resolves when some have been handed upstream. */
  send(count: number, untilStatus?: number): Promise<Sending>;
  /** Resolves when no message is left to be handed upstream. */
  fateOf(sending: Sending): Promise<Fate>;
}

export interface ProcessOptions {
  readonly ownSimulator: boolean;
  /** For every process, in addition to the variables that let them find each other. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function openProcesses(options: ProcessOptions): Promise<Processes> {
  const closers = createClosers();
  try {
    const dataDir = await createDataDirectory();
    closers.add(() => removeDataDirectory(dataDir));
    const simulator = options.ownSimulator ? await startSimulatorProcess(join(dataDir, "upstream")) : null;
    if (simulator) closers.add(simulator.close);
    const common = {
      LOG_LEVEL: "warn",
      ...(simulator ? { WAYPOST_SIMULATOR_URL: simulator.url } : {}),
      ...options.env,
    };
    const env = { PORT: String(await freePort()), ...common };
    let server = await startWaypost({ dataDir, env });
    closers.add(async () => void (await server.stop()));
    const sql = await openPool(dataDir);
    closers.add(() => sql.end({ timeout: 1 }));
    return {
      server: () => server,
      simulator,
      sql,
      dataDir,
      restart: async () => void (server = await startWaypost({ dataDir, env })),
      attach: () => attachWaypost(server, common),
      close: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/** The same with a hundred customers who can be written to. */
export async function openCrashWorld(options: ProcessOptions): Promise<CrashWorld> {
  const processes = await openProcesses(options);
  try {
    const { server, sql } = processes;
    const customers = await makeCustomers(server(), CUSTOMERS);
    return {
      ...processes,
      send: (count, untilStatus) => sendUntilInFlight(server(), customers, count, untilStatus),
      async fateOf(sending) {
        await sending.done;
        await untilHandedUpstream(sql, FINISHED_MS_MAX);
        return fateOf(sql, server().simulatorUrl, sending.accepted);
      },
    };
  } catch (error) {
    await processes.close();
    throw error;
  }
}

async function openPool(dataDir: string): Promise<Sql> {
  const run = await readRunFile(dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  return createPool(run.postgres, { name: "crash-test", connectionsMax: 2 });
}

async function sendUntilInFlight(
  server: Waypost,
  { secret, handles }: Customers,
  count: number,
  untilStatus?: number,
): Promise<Sending> {
  const upstreamBefore = (await readLedger(server.simulatorUrl)).messages.length;
  const messages = textsTo(handles, count);
  const sending = startSending({ baseUrls: [server.baseUrl], secret, messages, untilStatus });
  const isUnderWay = async () =>
    (await readLedger(server.simulatorUrl)).messages.length >= upstreamBefore + UNDER_WAY;
  await until("messages are handed upstream", isUnderWay, { intervalMs: 5 });
  return sending;
}
