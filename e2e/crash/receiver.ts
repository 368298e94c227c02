import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A webhook, however often it came. */
export interface ToldWebhook {
  readonly id: string;
  /** More than one is a broken promise. */
  readonly bodies: ReadonlySet<string>;
  /** How often it was answered with success. */
  readonly taken: number;
  /** How often it was not: answered with 500, or left without an answer. */
  readonly refused: number;
  /** How often its connection was reset: who calls may try once more then, in the same attempt. */
  readonly reset: number;
}

/** A receiver that is healthy in the end: it notes whatever comes, and has some of it come several times. */
export interface CrashReceiver {
  readonly host: string;
  readonly url: string;
  readonly told: () => readonly ToldWebhook[];
  /** Somebody is about to be killed: some of the calls that come from now on get no answer until then. */
  keep(): void;
  /** Somebody was killed: what was kept for that is answered, and rare troubles may begin. */
  letGo(): void;
  close(): Promise<void>;
}

type Trouble = "refused" | "kept" | "reset" | "silent";

/** What becomes of an id's first calls, by its last digit; of those with another one, and of later calls, nothing does. */
const TROUBLES: Readonly<Record<string, readonly Trouble[]>> = {
  "0": ["refused"],
  "1": ["refused"],
  "2": ["refused", "refused"],
  "3": ["kept"],
  "6": ["kept"],
  "4": ["reset", "reset"],
  "5": ["silent"],
};
/** So many are under way when a kill comes: few enough to leave room for others, and short of the 15 s of a call. */
const KEPT_MAX = 16;
const KEPT_MS_MAX = 12_000;

/** So many ids have their connections reset, or get no answer: each has the endpoint left alone for a while. */
export type RareTroubles = Readonly<Record<"reset" | "silent", number>>;

/** One without an answer costs more than a minute, which is waited for where each round is settled. */
export function troublesFor({ isEachSettled }: { readonly isEachSettled: boolean }): RareTroubles {
  return { reset: 2, silent: isEachSettled ? 1 : 0 };
}

interface Heard {
  readonly id: string;
  readonly bodies: Set<string>;
  readonly troubles: Iterator<Trouble>;
  taken: number;
  refused: number;
  reset: number;
}

export async function startReceiver(rare: RareTroubles): Promise<CrashReceiver> {
  const byId = new Map<string, Heard>();
  const troubles = createTroubles(rare);
  const kept = createKept();

  function heard(id: string): Heard {
    const known = byId.get(id);
    if (known) return known;
    const webhook = {
      id,
      bodies: new Set<string>(),
      troubles: troubles.of(id),
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
      const webhook = heard(String(request.headers["webhook-id"]));
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
    told: () => [...byId.values()],
    keep: kept.keep,
    letGo() {
      kept.letGo();
      troubles.begin();
    },
    async close() {
      kept.letGo();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(webhook: Heard, response: ServerResponse, keep: (take: () => void) => void): void {
  const take = () => {
    webhook.taken += 1;
    response.writeHead(204).end();
  };
  const { done, value } = webhook.troubles.next();
  if (done) return take();
  if (value === "kept") return keep(take);
  if (value === "reset") {
    webhook.reset += 1;
    return void response.socket?.resetAndDestroy();
  }
  webhook.refused += 1;
  if (value === "refused") response.writeHead(500).end("Not now");
}

/** What becomes of the calls for an id; at first without what would keep calls from being under way when a kill comes. */
function createTroubles(rare: RareTroubles) {
  let left: Record<keyof RareTroubles, number> | null = null;
  return {
    begin: () => void (left ??= { ...rare }),
    of(id: string): Iterator<Trouble> {
      const troubles = TROUBLES[id.slice(-1)] ?? [];
      const [first] = troubles;
      if (first === "reset" || first === "silent") {
        if (left === null || left[first] === 0) return [].values();
        left[first] -= 1;
      }
      return troubles.values();
    },
  };
}

/** Calls that wait for their answer. */
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
