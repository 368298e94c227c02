import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { serve } from "inngest/edge";
import type { Logger } from "pino";
import type { DatabaseAddress, Sql } from "@/db/client";
import { createTestDatabase } from "@/db/testing";
import { createClosers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import type { InngestConfig } from "@/server/platform/inngest-config";
import type { Services } from "@/server/core/context";
import { closeServer, listen } from "@/server/edge/http/listen";
import { createHttpServer } from "@/server/edge/http/server";
import { coalesceJobs } from "@/server/core/jobs";
import { createLogger } from "@/server/platform/log";
import { TEST_SECRET } from "@/server/domain/organizations/testing";
import { createRuntime } from "@/server/boot/runtime";
import { openServices } from "@/server/core/services";
import { startReceiver } from "@/server/domain/webhooks/testing";
import { startSimulator } from "@/server/simulator/start";
import { createFunctions, JOBS } from ".";
import { callFunction, type ServeHandler } from "./calls/testing";
import { createInngestClient } from "./client";
import type { JobEvent } from "./job";

/**
 * The resources of a separate process, in this one: connection pools, concurrency limiters, upstream connections, and
 * the functions over them.
 */
export interface TestProcess {
  readonly services: Services;
  /** Runs a function to its end through the SDK's serve handler. */
  run(id: string, event: JobEvent): Promise<void>;
  /** Runs the function's step to its end. The caller dies before the result arrives. */
  runAndLoseResult(id: string, event: JobEvent): Promise<void>;
  close(): Promise<void>;
}

interface TestProcessOptions {
  readonly log: Logger;
  readonly address: DatabaseAddress;
  readonly dataDir: string;
  readonly simulatorUrl: string;
  /** A host that webhooks may be delivered to, although it isn't public. */
  readonly receiverHost: string;
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const APP_ID = "waypost";

/** All of its wake-ups are lost. Tests run each function explicitly. */
async function openTestProcess(options: TestProcessOptions): Promise<TestProcess> {
  const { log, address, dataDir, simulatorUrl, receiverHost } = options;
  const jobs = coalesceJobs({ notifyRunning: () => false, send: async () => undefined });
  const env = {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    WAYPOST_DATA_DIR: dataDir,
    ALLOWED_PRIVATE_HOSTS: receiverHost,
  } as const;
  const { services, close } = await openServices({
    config: readConfig(env, process.cwd()),
    address,
    secret: TEST_SECRET,
    log,
    jobs,
    pools: { name: "test", sql: 4, orm: 2, limits: 1 },
    simulatorUrl: () => simulatorUrl,
  });
  const inngest = createInngestClient({ inngest: DEV_SERVER, log, fetch: takesEvents });
  const functions = createFunctions(inngest, { services, jobs });
  const handler: ServeHandler = serve({ client: inngest, functions });
  const run = (id: string, event: JobEvent, through: ServeHandler) =>
    callFunction(through, `${APP_ID}-${id}`, event);
  return {
    services,
    run: (id, event) => run(id, event, handler),
    async runAndLoseResult(id, event) {
      const lost = new Error("The answer was lost");
      const losing: ServeHandler = async (request) => {
        const { status } = await handler(request);
        throw status === 206 ? lost : new Error(`The step of ${id} was answered ${status}`);
      };
      await run(id, event, losing).catch((error: unknown) => {
        if (error !== lost) throw error;
      });
    },
    close,
  };
}

/** Ids of all functions. */
export const functionIds = (): string[] => JOBS.map(({ id }) => id);

/** An Inngest server that signs nothing. */
export const DEV_SERVER: InngestConfig = {
  isDev: true,
  baseUrl: "http://inngest.example",
  eventKey: null,
  signingKey: null,
  signingKeyFallback: null,
  serveOrigin: null,
};

const takesEvents: typeof fetch = async () => Response.json({ ids: [], status: 200 });

/** Two processes on one database and one simulator. The first one receives the simulator's callbacks. */
export interface FunctionsWorld {
  readonly processes: readonly [TestProcess, TestProcess];
  readonly sql: Sql;
  readonly simulatorUrl: string;
  /** Receives the webhooks. */
  readonly receiver: Receiver;
  /** Address to which the simulator delivers callbacks. */
  readonly baseUrl: string;
  /** Log lines of processes and simulator since the previous call. */
  takeLog(): string;
  close(): Promise<void>;
}

export async function openFunctionsWorld(): Promise<FunctionsWorld> {
  const closers = createClosers();
  const database = await createTestDatabase();
  closers.add(database.drop);
  const directory = await mkdtemp(path.join(tmpdir(), "waypost-functions-"));
  closers.add(() => rm(directory, { recursive: true }));
  const lines: string[] = [];
  const log = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const simulator = await startSimulator({ directory: path.join(directory, "simulator"), port: 0, log });
  const receiver = await startReceiver();
  closers.add(receiver.close);
  const options = {
    log,
    address: database.connection,
    dataDir: directory,
    simulatorUrl: simulator.url,
    receiverHost: receiver.host,
  };
  const first = await openTestProcess(options);
  closers.add(first.close);
  const second = await openTestProcess(options);
  closers.add(second.close);
  const intake = createHttpServer({
    runtime: createRuntime(first.services, () => Promise.reject(new Error("Nobody calls functions here"))),
    next: () => Promise.reject(new Error("There are no pages here")),
    readiness: async () => ({ parts: {} }),
  });
  const port = await listen(intake, 0, "127.0.0.1");
  closers.add(() => closeServer(intake));
  // Stopped first, because it delivers, and is called, as long as it runs.
  closers.add(simulator.stop);
  return {
    processes: [first, second],
    sql: database.sql,
    simulatorUrl: simulator.url,
    receiver,
    baseUrl: `http://127.0.0.1:${port}`,
    takeLog: () => lines.splice(0).join(""),
    close: () => closers.closeAll(),
  };
}
