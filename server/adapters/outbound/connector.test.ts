import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { selfSigned } from "@/server/adapters/whatsapp/testing-tls";
import { createConnection } from "./connection";
import { type ConnectorOptions, createConnector } from "./connector";
import { exchange } from "./exchange";
import type { Lookup } from "./lookup";
import { onRequest, startReceiver } from "./testing-receiver";

const NAME = "hooks.example";
const certificate = selfSigned(NAME);
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
/** Loopback addresses act as public ones. */
const isAllowed = (address: string) => address.startsWith("127.");

afterEach(() => void vi.unstubAllEnvs());

async function receiver(serve: (socket: Socket) => void, tls?: typeof certificate) {
  const started = await startReceiver(serve, tls);
  onTestFinished(() => started.close());
  return started;
}
const answering = (socket: Socket) => onRequest(socket, () => socket.write(OK));

const connectorOf = (options: Partial<ConnectorOptions>) =>
  createConnector({
    lookup: async () => ["127.0.0.1"],
    isAllowed,
    trustedCertificates: certificate.cert,
    ...options,
  });

/** A connection to that origin, for one or several requests. */
function connectionTo(
  origin: string,
  options: Partial<ConnectorOptions> = {},
  connector = connectorOf(options),
) {
  const connection = createConnection(origin, connector, () => undefined);
  onTestFinished(() => connection.end());
  return {
    post: (timeoutMs = 5_000) =>
      exchange(connection, { path: "/", headers: {}, body: "{}", deadlineMs: performance.now() + timeoutMs }),
  };
}
const failed = (failure: string) => ({ kind: "failed", failure });
const answered = { kind: "answered", httpStatus: 200 };

describe("a name", () => {
  test("is looked up once for each connection, not for each call", async () => {
    const { port, sockets } = await receiver(answering);
    const lookup = vi.fn<Lookup>(async () => ["127.0.0.1"]);
    const { post } = connectionTo(`http://${NAME}:${port}`, { lookup });
    expect(await post()).toMatchObject(answered);
    expect(await post()).toMatchObject(answered);
    expect(lookup.mock.calls).toEqual([[NAME]]);
    expect(sockets).toHaveLength(1);
  });

  test("that leads elsewhere when it is looked up again is refused", async () => {
    const { port, sockets } = await receiver((socket) =>
      onRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")),
    );
    const answers = [["127.0.0.1"], ["127.0.0.1", "10.0.0.1"]];
    const lookup = async () => answers.shift() ?? [];
    const { post } = connectionTo(`http://${NAME}:${port}`, { lookup });
    expect(await post()).toMatchObject(answered);
    expect(await post()).toEqual(failed("forbidden"));
    expect(sockets).toHaveLength(1);
  });

  test("is reached at its other addresses where the first refuses", async () => {
    const { port, sockets } = await receiver(answering);
    const lookup = async () => ["127.0.0.9", "127.0.0.8", "127.0.0.1"];
    expect(await connectionTo(`http://${NAME}:${port}`, { lookup }).post()).toMatchObject(answered);
    expect(sockets.map(({ localAddress }) => localAddress)).toEqual(["127.0.0.1"]);
  });

  test.each([
    { that: "doesn't resolve", lookup: () => Promise.reject(new Error("ENOTFOUND")) },
    { that: "has no address", lookup: async () => [] },
  ])("that $that is a failure of its own", async ({ lookup }) => {
    expect(await connectionTo(`https://${NAME}`, { lookup }).post()).toEqual(failed("dns"));
  });

  test("that is never answered for takes as long as there is time", async () => {
    const lookup = () => new Promise<never>(() => undefined);
    expect(await connectionTo(`https://${NAME}`, { lookup }).post(50)).toEqual(failed("timeout"));
  });

  test("that is an address is neither looked up nor connected to unless it is allowed", async () => {
    const lookup = vi.fn<Lookup>(async () => ["127.0.0.1"]);
    expect(await connectionTo("https://10.0.0.1", { lookup }).post()).toEqual(failed("forbidden"));
    expect(await connectionTo("https://[::1]", { lookup }).post()).toEqual(failed("forbidden"));
    expect(lookup).not.toHaveBeenCalled();
  });
});

describe("TLS", () => {
  test("is asked for by name, and so is the host, wherever the address leads", async () => {
    const seen: unknown[] = [];
    const { port } = await receiver((socket) => {
      const servername = socket instanceof TLSSocket ? socket.servername : null;
      onRequest(socket, (request) => {
        seen.push(servername, /^host: (.*)$/im.exec(request)?.[1]);
        socket.write(OK);
      });
    }, certificate);
    expect(await connectionTo(`https://${NAME}:${port}`).post()).toMatchObject(answered);
    expect(seen).toEqual([NAME, `${NAME}:${port}`]);
  });

  test.each(["other.example", "sub.hooks.example", "127.0.0.1"])(
    "under a certificate of another name than %s fails, each time",
    async (host) => {
      const received = vi.fn<(request: string) => void>();
      const { port } = await receiver((socket) => onRequest(socket, received), certificate);
      const connector = connectorOf({});
      for (const _ of ["a full handshake", "one with what the first left behind"]) {
        const { post } = connectionTo(`https://${host}:${port}`, {}, connector);
        expect(await post()).toEqual(failed("tls"));
      }
      expect(received).not.toHaveBeenCalled();
    },
  );

  test("under a certificate that nobody vouches for fails, whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const { port } = await receiver(answering, certificate);
    const strict = connectionTo(`https://${NAME}:${port}`, { trustedCertificates: undefined });
    expect(await strict.post()).toEqual(failed("tls"));
  });

  test("with one that doesn't speak it fails", async () => {
    const { port } = await receiver((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await connectionTo(`https://${NAME}:${port}`).post()).toEqual(failed("tls"));
  });

  test("that is reset in its handshake is a reset, and that stalls in it takes as long as there is time", async () => {
    const resetting = await receiver((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await connectionTo(`https://${NAME}:${resetting.port}`).post()).toEqual(failed("reset"));
    const stalling = await receiver((socket) => socket.resume());
    expect(await connectionTo(`https://${NAME}:${stalling.port}`).post(100)).toEqual(failed("timeout"));
    await stalling.allClosed();
  });
});
