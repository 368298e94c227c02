import type { Sql } from "@/db/client";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { httpCall } from "@/e2e/support/http-call";
import { readLedger, type Ledger } from "@/e2e/support/simulator";
import { openDatabase } from "@/e2e/support/statement-counts";
import { until } from "@/e2e/support/until";
import type { Environment } from "@/e2e/support/program";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";
import type { LoadJob } from "./load";
import type { PaceJob } from "./pace";
import type { RunningWorker } from "./start-worker";

const CUSTOMERS = 500;
const SETTLE_MS_MAX = 300_000;

/** A running Waypost with an organization whose customers have all just written. */
export interface BenchWaypost extends Customers {
  readonly server: Waypost;
  /** A receiver for webhooks. */
  readonly receiver: RunningWorker<"receiver">;
  /** Direct access to its database. */
  readonly sql: Sql;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Resolves when every message was handed upstream and every callback was processed. */
  settle(): Promise<void>;
  ledger(): Promise<Ledger>;
  stop(): Promise<void>;
}

interface BenchStart {
  readonly env?: Environment;
  readonly start?: (options: { readonly env: Environment }) => Promise<Waypost>;
}

/** Starts the real program with everything durable, including its simulator, and fills it with customers. */
export async function startBenchWaypost(
  receiver: RunningWorker<"receiver">,
  { env = {}, start = startWaypost }: BenchStart = {},
): Promise<BenchWaypost> {
  const { host } = new URL((await receiver.run({})).url);
  const server = await start({ env: { LOG_LEVEL: "warn", ALLOWED_PRIVATE_HOSTS: host, ...env } });
  try {
    const customers = await makeCustomers(server, CUSTOMERS);
    const sql = await openDatabase(server);
    // The demo's endpoint would receive everything that is measured.
    await sql`update webhook_endpoints set deleted_at = now()`;
    return {
      ...customers,
      server,
      receiver,
      sql,
      url: `${server.baseUrl}/api/public/v1`,
      headers: { authorization: `Bearer ${customers.secret}`, "content-type": "application/json" },
      settle: () => settled(server, sql),
      ledger: () => readLedger(server.simulatorUrl),
      async stop() {
        await sql.end({ timeout: 1 });
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function settled({ simulatorUrl }: Waypost, sql: Sql): Promise<void> {
  async function isQuiet(): Promise<boolean> {
    const [row] = await sql<{ busy: boolean }[]>`
      select exists (select from messages where is_queued and created_at > '-infinity')
        or exists (select from upstream_callbacks where processed_at is null) as busy`;
    return row?.busy === false && (await owedCallbacks(simulatorUrl)) === 0;
  }
  await until("nothing is queued any more", isQuiet, { timeoutMs: SETTLE_MS_MAX, intervalMs: 250 });
}

/** Returns the number of callbacks that the simulator hasn't sent yet. */
export async function owedCallbacks(simulatorUrl: string): Promise<number> {
  const answer = await httpCall({ method: "GET", url: `${simulatorUrl}/simulator/owed`, headers: {} });
  const { total }: { total?: unknown } = JSON.parse(answer.text);
  if (typeof total !== "number") throw new Error(`The simulator doesn't say what it owes: ${answer.text}`);
  return total;
}

/**
 * The load of new messages to all customers, on that many connections.
 * @param url of the API, if another process than the first gets them.
 */
export function newMessagesLoad(waypost: BenchWaypost, connections: number, url: string = waypost.url) {
  const { headers, handles } = waypost;
  return {
    url: `${url}/messages`,
    method: "POST",
    headers,
    body: { kind: "newMessages", handles },
    connections,
    statusExpected: 201,
  } as const satisfies Omit<LoadJob, "seconds">;
}

/** New messages to all customers at an even pace. */
export function pacedMessages(
  { url, headers, handles }: BenchWaypost,
  messagesPerSecond: number,
  seconds: number,
): PaceJob {
  return { url: `${url}/messages`, headers, handles, messagesPerSecond, seconds };
}

/** Sends one message. @returns the id of the accepted message. */
export async function sendOnce({ url, headers }: BenchWaypost, body: string): Promise<string> {
  const answer = await httpCall({ method: "POST", url: `${url}/messages`, headers, body: Buffer.from(body) });
  const { message_id: id }: { message_id?: unknown } = JSON.parse(answer.text);
  if (answer.status !== 201 || typeof id !== "string")
    throw new Error(`A message was answered ${answer.status}`);
  return id;
}
