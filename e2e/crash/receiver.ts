import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A webhook, however often it was delivered. */
export interface ReportedWebhook {
  readonly id: string;
  /** More than one is a broken promise. */
  readonly bodies: ReadonlySet<string>;
  /** How often the response was a success. */
  readonly taken: number;
  /** How often it wasn't: a 500, or no response. */
  readonly refused: number;
  /** How often its connection was reset: the caller may retry then within the same attempt. */
  readonly reset: number;
}

/** A receiver that ends up healthy: it records all calls, and makes some of them repeat. */
export interface CrashReceiver {
  readonly host: string;
  readonly url: string;
  readonly reported: () => readonly ReportedWebhook[];
  /** A kill is about to happen: some calls from now on get no response until then. */
  keep(): void;
  /** A kill has happened: the held calls get their responses, and rare faults may start. */
  letGo(): void;
  close(): Promise<void>;
}

type Fault = "refused" | "kept" | "reset" | "silent";

/** The faults of an id's first calls, by its last digit; other ids and later calls have none. */
const TROUBLES: Readonly<Record<string, readonly Fault[]>> = {
  "0": ["refused"],
  "1": ["refused"],
  "2": ["refused", "refused"],
  "3": ["kept"],
  "6": ["kept"],
  "4": ["reset", "reset"],
  "5": ["silent"],
};
/** Held calls at a kill: few enough to leave room for others, and shorter than the 15 s of a call. */
const KEPT_MAX = 16;
const KEPT_MS_MAX = 12_000;

/** For how many ids connections are reset or get no response. Each of them makes the endpoint back off for a while. */
export type RareFaults = Readonly<Record<"reset" | "silent", number>>;

/** If each round is settled, a call without a response costs more than a minute, so there are few. */
export function faultsFor({ isEachSettled }: { readonly isEachSettled: boolean }): RareFaults {
  return { reset: 2, silent: isEachSettled ? 1 : 0 };
}

interface ReceivedWebhook {
  readonly id: string;
  readonly bodies: Set<string>;
  readonly faults: Iterator<Fault>;
  taken: number;
  refused: number;
  reset: number;
}

export async function startReceiver(rare: RareFaults): Promise<CrashReceiver> {
  const byId = new Map<string, ReceivedWebhook>();
  const faults = createFaults(rare);
  const kept = createKept();

  function webhookOf(id: string): ReceivedWebhook {
    const known = byId.get(id);
    if (known) return known;
    const webhook = {
      id,
      bodies: new Set<string>(),
      faults: faults.of(id),
      taken: 0,
      refused: 0,
      reset: 0,
    };
    byId.set(id, webhook);
    return webhook;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const webhook = webhookOf(String(request.headers["webhook-id"]));
      webhook.bodies.add(Buffer.concat(chunks).toString("utf8"));
      answer(webhook, response, kept.add);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The receiver has no port");
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: `http://${host}/webhooks`,
    reported: () => [...byId.values()],
    keep: kept.keep,
    letGo() {
      kept.letGo();
      faults.begin();
    },
    async close() {
      kept.letGo();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(webhook: ReceivedWebhook, response: ServerResponse, keep: (take: () => void) => void): void {
  const take = () => {
    webhook.taken += 1;
    response.writeHead(204).end();
  };
  const { done, value } = webhook.faults.next();
  if (done) return take();
  if (value === "kept") return keep(take);
  if (value === "reset") {
    webhook.reset += 1;
    return void response.socket?.resetAndDestroy();
  }
  webhook.refused += 1;
  if (value === "refused") response.writeHead(500).end("Not now");
}

/** Faults of the calls for an id. The first ones exclude those that would keep calls from being in flight at a kill. */
function createFaults(rare: RareFaults) {
  let left: Record<keyof RareFaults, number> | null = null;
  return {
    begin: () => void (left ??= { ...rare }),
    of(id: string): Iterator<Fault> {
      const faults = TROUBLES[id.slice(-1)] ?? [];
      const [first] = faults;
      if (first === "reset" || first === "silent") {
        if (left === null || left[first] === 0) return [].values();
        left[first] -= 1;
      }
      return faults.values();
    },
  };
}

/** Calls that wait for their response. */
function createKept() {
  const kept = new Set<() => void>();
  let isKeeping = false;
  return {
    keep: () => void (isKeeping = true),
    letGo() {
      isKeeping = false;
      kept.forEach((end) => end());
    },
    add(take: () => void): void {
      if (!isKeeping || kept.size >= KEPT_MAX) return take();
      const end = () => {
        clearTimeout(timer);
        if (kept.delete(end)) take();
      };
      const timer = setTimeout(end, KEPT_MS_MAX);
      kept.add(end);
    },
  };
}
