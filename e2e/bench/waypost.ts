import { randomInt } from "node:crypto";
import { createPool } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { createKey, demo, type Demo } from "@/e2e/support/cli";
import { httpCall } from "@/e2e/support/http-call";
import { customerWrites, readLedger, type Ledger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

const CONTACTS = 300;
const LIMIT = 1_000_000;
const SETTLE_MS_MAX = 300_000;

/** A running Waypost with an organization whose customers have all written just now. */
export interface BenchWaypost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Numbers with an open customer window. */
  readonly handles: readonly string[];
  /** Resolves when every message was handed upstream and every callback was taken in. */
  settle(): Promise<void>;
  ledger(): Promise<Ledger>;
  stop(): Promise<void>;
}

/** Starts the real program with everything durable, its simulator included, and fills it with contacts. */
export async function startBenchWaypost(): Promise<BenchWaypost> {
  const server = await startWaypost({ env: { LOG_LEVEL: "warn" } });
  try {
    const organization = await demo(server);
    const key = await createKey(server, organization.organization_id, { sendLimit: LIMIT, readLimit: LIMIT });
    const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
    const url = `${server.baseUrl}/api/public/v1`;
    const phoneNumberId = await phoneNumberIdOf(server, organization, url, headers);
    const handles = await welcomeContacts(server, phoneNumberId, url, headers);
    const settler = await createSettler(server);
    return {
      url,
      headers,
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

type Headers = BenchWaypost["headers"];

/** The upstream's id of the default channel, as the upstream learns it with a first message. */
async function phoneNumberIdOf(
  server: Waypost,
  organization: Demo,
  url: string,
  headers: Headers,
): Promise<string> {
  const { handle } = organization.contacts.open_window;
  if (!(await isAccepted(url, headers, handle))) throw new Error("The demo's open window is closed");
  return until("the first message is handed upstream", async () => {
    const { messages } = await readLedger(server.simulatorUrl);
    return messages.find((message) => message.to === handle)?.phone_number_id;
  });
}

/** Many customers write in; resolves when each of them can be written to. */
async function welcomeContacts(
  server: Waypost,
  phoneNumberId: string,
  url: string,
  headers: Headers,
): Promise<string[]> {
  const first = randomInt(10_000_000, 90_000_000) * 10;
  // No number ends in 99, which chooses special outcomes in the simulator together with the three digits before it.
  const handles = Array.from(
    { length: CONTACTS },
    (_, index) => `4915${first + Math.floor(index / 90) * 100 + (index % 90)}`,
  );
  await Promise.all(
    handles.map((from) =>
      customerWrites(server.simulatorUrl, { phoneNumberId, from, body: "Where is my parcel?" }),
    ),
  );
  for (const handle of handles) {
    await until(`${handle} can be written to`, () => isAccepted(url, headers, handle), { timeoutMs: 60_000 });
  }
  return handles;
}

async function isAccepted(url: string, headers: Headers, handle: string): Promise<boolean> {
  const body = {
    client_message_id: `welcome-${randomInt(2 ** 47)}`,
    type: "text",
    to: { kind: "whatsapp", handle },
    text: { body: "Hello" },
  };
  const answer = await httpCall({
    method: "POST",
    url: `${url}/messages`,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  });
  if (answer.status === 201) return true;
  if (answer.status === 422) return false;
  throw new Error(`A message was answered ${answer.status}: ${answer.text}`);
}

async function createSettler(server: Waypost): Promise<{ settle(): Promise<void>; close(): Promise<void> }> {
  const run = await readRunFile(server.dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  const sql = createPool(run.postgres, { name: "bench", connectionsMax: 1 });
  async function isQuiet(): Promise<boolean> {
    const [row] = await sql<{ busy: boolean }[]>`
      select exists (select from messages where state = 'queued')
        or exists (select from upstream_callbacks where processed_at is null) as busy`;
    if (row?.busy !== false) return false;
    return (await owedCallbacks(server.simulatorUrl)) === 0;
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
