import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Sql } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { startSending, textsTo } from "@/e2e/crash/clients";
import { fateOf, untilHandedUpstream } from "@/e2e/crash/fate";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

const OPEN_FILES_MAX = 512;
const CONNECTIONS = 600;
const RECONNECT_AFTER_MS = 500;
const MESSAGES = 200;

let dataDir: string;
let server: Waypost;
let sql: Sql;
let customers: Customers;

beforeAll(async () => {
  dataDir = await createDataDirectory();
  server = await startWaypost({ dataDir, openFilesMax: OPEN_FILES_MAX, env: { LOG_LEVEL: "warn" } });
  const run = await readRunFile(dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  sql = createPool(run.postgres, { name: "few-files-test", connectionsMax: 1 });
  customers = await makeCustomers(server, 20);
});
afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await server?.stop();
  await removeDataDirectory(dataDir);
});

/** Keeps that many idle connections to the server; a closed one is reopened. */
function holdConnections(count: number) {
  const port = Number(new URL(server.baseUrl).port);
  const sockets = new Set<Socket>();
  const ending = new AbortController();
  let closed = 0;
  async function hold(): Promise<void> {
    while (!ending.signal.aborted) {
      const socket = connect({ port, host: "127.0.0.1" });
      sockets.add(socket);
      await new Promise<void>((resolve) =>
        socket.on("error", () => undefined).once("close", () => resolve()),
      );
      sockets.delete(socket);
      closed += 1;
      await pause(RECONNECT_AFTER_MS);
    }
  }
  const holding = Promise.all(Array.from({ length: count }, hold));
  return {
    closed: () => closed,
    async end() {
      ending.abort();
      for (const socket of sockets) socket.destroy();
      await holding;
    },
  };
}

test("with 512 open files a server starts, refuses connections beyond what it can hold, sends what it accepted, and recovers", async () => {
  const { secret, handles } = customers;
  const messages = textsTo(handles, MESSAGES);
  const sending = startSending({ baseUrls: [server.baseUrl], secret, messages });
  await until("messages are accepted", () => sending.accepted.size > 0);
  const held = holdConnections(CONNECTIONS);
  try {
    await until("connections are refused", () => held.closed() > CONNECTIONS / 2);
    await until("some messages more are accepted", () => sending.accepted.size > MESSAGES / 4);
    // While the connections are held: calls to WhatsApp need file descriptors, too.
    await sending.done;
    await untilHandedUpstream(sql);
    expect(server.program.isRunning()).toBe(true);
  } finally {
    await held.end();
  }
  await until(
    "the server is ready again",
    async () => (await fetch(`${server.baseUrl}/readyz`)).status === 200,
  );
  expect(sending.wrong).toEqual([]);
  const fate = await fateOf(sql, server.simulatorUrl, sending.accepted);
  expect(fate).toMatchObject({ accepted: MESSAGES, once: MESSAGES, twice: [], lost: [] });
  expect(server.output()).toContain("connections are refused");
  expect(server.output()).not.toMatch(/EMFILE|uncaught/i);
});
