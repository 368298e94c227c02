import { createPool, type Sql } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { type Sending, startSending, textsTo } from "@/e2e/crash/clients";
import { type Fate, fateOf, untilHandedUpstream } from "@/e2e/crash/fate";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import type { Environment } from "@/e2e/support/program";
import { attachWaypost, startWaypost, type Waypost } from "@/e2e/support/waypost";
import { createClosers } from "@/server/lib/closers";
import { startReceiver } from "@/server/domain/webhooks/testing";

const CUSTOMERS = 20;

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A process that accepts messages and callbacks, and two that run jobs: no wake-up stays within one process. */
export interface JobsWorld {
  readonly api: Waypost;
  readonly jobs: readonly Waypost[];
  readonly customers: Customers;
  readonly sql: Sql;
  /** A receiver for webhooks. */
  readonly receiver: Receiver;
  send(count: number): Sending;
  /** Resolves when no message is left to be handed upstream. */
  fateOf(sending: Sending, timeoutMs?: number): Promise<Fate>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** For every process. */
  readonly env: Environment;
  /** Called with the processes that run jobs before anything is sent. */
  readonly started?: (jobs: readonly Waypost[]) => void;
  readonly jobsProcesses?: number;
}

const DRAINED_MS_MAX = 60_000;

export async function openJobsWorld({ env, started, jobsProcesses = 2 }: WorldOptions): Promise<JobsWorld> {
  const closers = createClosers();
  try {
    const dataDir = await createDataDirectory();
    closers.add(() => removeDataDirectory(dataDir));
    const receiver = await closers.open(startReceiver, (running) => running.close());
    const common = { LOG_LEVEL: "info", ALLOWED_PRIVATE_HOSTS: receiver.host, ...env };
    const api = await startWaypost({ dataDir, env: { ...common, WAYPOST_ROLE: "api" } });
    closers.add(async () => void (await api.stop()));
    const jobs: Waypost[] = [];
    for (let index = 0; index < jobsProcesses; index++) {
      const one = await attachWaypost(api, { ...common, WAYPOST_ROLE: "jobs" });
      closers.add(async () => void (await one.stop()));
      jobs.push(one);
    }
    started?.(jobs);
    const sql = await openPool(dataDir);
    closers.add(() => sql.end({ timeout: 1 }));
    const customers = await makeCustomers(api, CUSTOMERS);
    return {
      api,
      jobs,
      customers,
      sql,
      receiver,
      send: (count) => send(api, customers, count),
      async fateOf(sending, timeoutMs = DRAINED_MS_MAX) {
        await sending.done;
        await untilHandedUpstream(sql, timeoutMs);
        return fateOf(sql, api.simulatorUrl, sending.accepted);
      },
      close: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

function send({ baseUrl }: Waypost, { secret, handles }: Customers, count: number): Sending {
  return startSending({ baseUrls: [baseUrl], secret, messages: textsTo(handles, count) });
}

async function openPool(dataDir: string): Promise<Sql> {
  const run = await readRunFile(dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  return createPool(run.postgres, { name: "jobs-test", connectionsMax: 2 });
}
