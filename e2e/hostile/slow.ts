import { BASE_PATH } from "@/e2e/support/api";
import { CALLBACK_PREFIX, signatureOf } from "./callbacks";
import { headBytes } from "./case";
import { SEND_TARGET } from "./messages";
import { signedIn } from "./requests";
import { problemsOf } from "./check-answer";
import { openConnection, type Connection } from "./wire";
import type { HostileWorld } from "./world";

const IDLE_CONNECTIONS = 300;
const DRIP_MS = 500;

/** Clients that hold connections as long as possible, while others continue. */
export interface SlowClients {
  /** Resolves when the server has refused them all, with descriptions of problems. */
  readonly done: Promise<readonly string[]>;
}

/** Connections with no data or half a head, and bodies that arrive byte by byte. */
export async function startSlowClients(world: HostileWorld): Promise<SlowClients> {
  const heads = ["", "G", `GET ${BASE_PATH}/ping HTTP/1.1\r\nHost: a\r\nX-Slow: `];
  const idle = await Promise.all(
    Array.from({ length: IDLE_CONNECTIONS }, (_, index) => begin(world, heads[index % heads.length] ?? "")),
  );
  const bodies = await Promise.all(headsOfBodies(world).map((head) => begin(world, head)));
  const dripping = setInterval(() => {
    for (const connection of bodies) void connection.write(Buffer.from(" "));
  }, DRIP_MS);
  const all = [...idle, ...bodies];
  const done = Promise.all(all.map((connection) => problemsOfSlow(world, connection)))
    .then((problems) => problems.flat())
    .finally(() => {
      clearInterval(dripping);
      for (const connection of all) connection.destroy();
    });
  // The caller may await it later; until then its rejection must not count as unhandled.
  done.catch(() => undefined);
  return { done };
}

async function begin({ baseUrl }: HostileWorld, text: string): Promise<Connection> {
  const connection = await openConnection(baseUrl);
  if (text !== "") await connection.write(Buffer.from(text, "latin1"));
  return connection;
}

/** The declared length is larger than the data that will be sent. */
function headsOfBodies(world: HostileWorld): readonly string[] {
  const { id, appSecret } = world.callbackChannel;
  const signature = signatureOf(Buffer.alloc(0), appSecret);
  const json = [...signedIn(world), { name: "Content-Type", value: "application/json" }];
  const callback = [
    { name: "Host", value: "a" },
    { name: "X-Hub-Signature-256", value: signature },
  ];
  const length = { name: "Content-Length", value: "60000" };
  const chunked = { name: "Transfer-Encoding", value: "chunked" };
  return [
    headBytes(`POST ${SEND_TARGET} HTTP/1.1`, [...json, length]).toString("latin1"),
    `${headBytes(`POST ${SEND_TARGET} HTTP/1.1`, [...json, chunked]).toString("latin1")}ea60\r\n`,
    headBytes(`POST ${CALLBACK_PREFIX}${id} HTTP/1.1`, [...callback, length]).toString("latin1"),
  ];
}

async function problemsOfSlow(world: HostileWorld, connection: Connection): Promise<readonly string[]> {
  const answer = await connection.answer("GET");
  if (answer === null) return ["a slow client's connection was closed without an answer"];
  const wrong = answer.status === 408 ? [] : [`a slow client was answered ${answer.status}`];
  return [...wrong, ...problemsOf(world, null, answer)];
}
