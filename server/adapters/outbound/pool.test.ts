import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "@/e2e/support/eventually";
import type { Connector } from "./connector";
import { exchange } from "./exchange";
import { createPool } from "./pool";
import { onRequest, type Receiver, startReceiver } from "./testing-receiver";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const connector: Connector = ({ port }, callback) => {
  const socket = connect(Number(port), "127.0.0.1", () => callback(null, socket));
  return socket;
};

async function receivers(count: number): Promise<readonly Receiver[]> {
  const started = await Promise.all(
    Array.from({ length: count }, () => startReceiver((socket) => onRequest(socket, () => socket.write(OK)))),
  );
  onTestFinished(async () => void (await Promise.all(started.map((one) => one.close()))));
  return started;
}

function openPool() {
  const pool = createPool({ connectionsPerHostMax: 300 });
  onTestFinished(() => pool.close());
  return (receiver: Receiver | undefined) =>
    pool.inTurn(`http://127.0.0.1:${receiver?.port}`, connector, async (lease) => {
      const connection = lease.take();
      const deadlineMs = performance.now() + 5_000;
      const exchanged = await exchange(connection, { path: "/", headers: {}, body: "{}", deadlineMs });
      expect(exchanged).toMatchObject({ kind: "answered", isWhole: true });
      lease.release(connection);
    });
}

test("a connection that has served for a minute is opened anew, so that its name is looked up again", async () => {
  const [receiver] = await receivers(1);
  const call = openPool();
  await call(receiver);
  const { now } = performance;
  const later = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 59_000);
  await call(receiver);
  await call(receiver);
  expect(receiver?.sockets).toHaveLength(1);
  later.mockImplementation(() => now.call(performance) + 61_000);
  await call(receiver);
  await call(receiver);
  expect(receiver?.sockets).toHaveLength(2);
});

test("no more than 256 connections are idle, those used last", async () => {
  const [first, second] = await receivers(2);
  const call = openPool();
  await call(first);
  await Promise.all(Array.from({ length: 256 }, () => call(second)));
  // Long before its idle time is over.
  await eventually(() => expect(first?.sockets[0]?.destroyed).toBe(true));
  expect(second?.sockets).toHaveLength(256);
  expect(second?.sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
});
