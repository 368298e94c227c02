import { createPool } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { makeCustomers } from "@/e2e/support/customers";
import { httpCall } from "@/e2e/support/http-call";
import { readLedger, type Ledger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

const CUSTOMERS = 300;
const SETTLE_MS_MAX = 300_000;

/** A running Waypost with an organization whose customers have all written just now. */
export interface BenchWaypost {
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Numbers with an open customer window. */
  readonly handles: readonly string[];
  /** Resolves when every message was handed upstream and every callback was taken in. */
  settle(): Promise<void>;
  ledger(): Promise<Ledger>;
  stop(): Promise<void>;
}

/** Starts the real program with everything durable, its simulator included, and fills it with customers. */
export async function startBenchWaypost(): Promise<BenchWaypost> {
  const server = await startWaypost({ env: { LOG_LEVEL: "warn" } });
  try {
    const { secret, handles } = await makeCustomers(server, CUSTOMERS);
    const settler = await createSettler(server);
    return {
      pid: server.pid,
      url: `${server.baseUrl}/api/public/v1`,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      handles,
      settle: settler.settle,
      ledger: () => readLedger(server.simulatorUrl),
      async stop() {
        await settler.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function createSettler(server: Waypost): Promise<{ settle(): Promise<void>; close(): Promise<void> }> {
  const run = await readRunFile(server.dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  const sql = createPool(run.postgres, { name: "bench", connectionsMax: 1 });
  async function isQuiet(): Promise<boolean> {
    const [row] = await sql<{ busy: boolean }[]>`
      select exists (select from messages where is_queued)
        or exists (select from upstream_callbacks where processed_at is null) as busy`;
    return row?.busy === false && (await owedCallbacks(server.simulatorUrl)) === 0;
  }
  return {
    settle: async () => {
      await until("nothing is queued any more", isQuiet, { timeoutMs: SETTLE_MS_MAX, intervalMs: 250 });
    },
    close: () => sql.end({ timeout: 1 }),
  };
}

async function owedCallbacks(simulatorUrl: string): Promise<number> {
  const answer = await httpCall({ method: "GET", url: `${simulatorUrl}/simulator/owed`, headers: {} });
  const { total }: { total?: unknown } = JSON.parse(answer.text);
  if (typeof total !== "number") throw new Error(`The simulator doesn't say what it owes: ${answer.text}`);
  return total;
}
