import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { createOutboundClient, type OutboundResult } from "./post";
import { MISBEHAVIOURS, writeOn } from "./testing-misbehaviours";
import { onRequest, startDeafReceiver, startReceiver } from "./testing-receiver";

const ANSWER_TIMEOUT_MS = 2_000;
/** Short, for calls that should time out. */
const SOON_MS = 300;
/** Time within which a call ends that must not wait for the receiver's end. */
const TIMEOUT_MS = 20_000;
/** Additional time that a call may take on a busy machine. */
const LATE_MS = limitMs(5_000);

async function postTo(port: number, timeoutMs = TIMEOUT_MS): Promise<OutboundResult> {
  const client = createOutboundClient({
    allowedPrivateHosts: new Set([`127.0.0.1:${port}`]),
    connectionsPerHostMax: 1,
  });
  const result = await client.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: "{}", timeoutMs });
  await client.close();
  return result;
}

const isTimeout = ({ expected }: (typeof MISBEHAVIOURS)[number]) =>
  "failure" in expected && expected.failure === "timeout";

describe.concurrent("a receiver that", () => {
  test.for(MISBEHAVIOURS.filter((one) => !isTimeout(one)))(
    "$does",
    async ({ serve, expected }, { onTestFinished }) => {
      const receiver = await startReceiver(serve);
      onTestFinished(() => receiver.close());
      const result = await postTo(receiver.port);
      expect(result).toMatchObject(expected);
      expect(result.durationMs).toBeLessThan(TIMEOUT_MS);
      expect(receiver.sockets).toHaveLength(1);
    },
  );

  test.for(MISBEHAVIOURS.filter(isTimeout))(
    "$does, until the time is up",
    async ({ serve, expected }, { onTestFinished }) => {
      const receiver = await startReceiver(serve);
      onTestFinished(() => receiver.close());
      const result = await postTo(receiver.port, SOON_MS);
      expect(result).toMatchObject(expected);
      expect(result.durationMs).toBeGreaterThanOrEqual(SOON_MS - 5);
      expect(result.durationMs).toBeLessThan(SOON_MS + LATE_MS);
      expect(receiver.sockets).toHaveLength(1);
    },
  );

  test.for([
    { how: "without end", head: "HTTP/1.1 200 OK\r\n\r\n" },
    { how: "of 10 MB", head: `HTTP/1.1 200 OK\r\nContent-Length: ${10 * 1024 * 1024}\r\n\r\n` },
  ])("sends a body $how is cut off after 64 KiB", async ({ head }, { onTestFinished }) => {
    const receiver = await startReceiver((socket) =>
      onRequest(socket, () => {
        socket.write(head);
        writeOn(socket, Buffer.alloc(16 * 1024, "a"));
      }),
    );
    onTestFinished(() => receiver.close());
    expect(await postTo(receiver.port)).toMatchObject({ httpStatus: 200, answer: "a".repeat(2048) });
    await receiver.allClosed();
    // More was accepted by the system's buffers than was read.
    expect(receiver.sockets[0]?.bytesWritten).toBeLessThan(9 * 1024 * 1024);
  });

  test("stalls after the headers is left after two seconds, and its connection cut", async ({
    onTestFinished,
  }) => {
    const receiver = await startReceiver((socket) =>
      onRequest(socket, () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")),
    );
    onTestFinished(() => receiver.close());
    const startedAtMs = performance.now();
    const { durationMs } = await postTo(receiver.port, ANSWER_TIMEOUT_MS / 2);
    const tookMs = performance.now() - startedAtMs;
    expect(tookMs).toBeGreaterThanOrEqual(ANSWER_TIMEOUT_MS - 5);
    expect(tookMs).toBeLessThan(ANSWER_TIMEOUT_MS + LATE_MS);
    expect(durationMs).toBeLessThan(ANSWER_TIMEOUT_MS / 2);
    await receiver.allClosed();
  });

  test("never accepts", async ({ onTestFinished }) => {
    const receiver = await startDeafReceiver();
    onTestFinished(() => receiver.close());
    // If the accept queue is full, the system doesn't even respond to a connection.
    const waiting = Array.from({ length: 8 }, () => connect(receiver.port, "127.0.0.1"));
    onTestFinished(() => waiting.forEach((socket) => socket.destroy()));
    await Promise.race(waiting.map((socket) => once(socket, "connect")));
    const result = await postTo(receiver.port, SOON_MS);
    expect(result).toMatchObject({ kind: "failed", failure: "timeout" });
    expect(result.durationMs).toBeLessThan(SOON_MS + LATE_MS);
  });

  test("isn't there", async () => {
    const receiver = await startReceiver(() => undefined);
    await receiver.close();
    expect(await postTo(receiver.port)).toMatchObject({ kind: "failed", failure: "connection" });
  });
});
