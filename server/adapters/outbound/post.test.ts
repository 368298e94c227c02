import type { Socket } from "node:net";
import { Agent, request as undiciRequest } from "undici";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "@/e2e/support/eventually";
import { createOutboundClient, type OutboundCall } from "./post";
import { everyNameResolvesTo } from "./testing";
import { onRequest, startReceiver } from "./testing-receiver";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function receiver(serve: (socket: Socket) => void) {
  const started = await startReceiver(serve);
  onTestFinished(() => started.close());
  return started;
}

/** A client for a receiver that the operator allows, by name. */
function clientOf({ port }: { port: number }, connectionsPerHostMax = 4) {
  const client = createOutboundClient({
    allowedPrivateHosts: new Set([`localhost:${port}`]),
    connectionsPerHostMax,
  });
  onTestFinished(() => client.close());
  const post = (call: Partial<OutboundCall> & { path?: string } = {}) =>
    client.post({
      url: `http://localhost:${port}${call.path ?? "/"}`,
      headers: {},
      body: "{}",
      timeoutMs: 20_000,
      ...call,
    });
  return { post, close: () => client.close() };
}
const failed = (failure: string) => ({ kind: "failed", failure });

test("posts headers and body as they are given, and nothing of its own but what HTTP needs", async () => {
  const requests: string[] = [];
  const started = await receiver((socket) =>
    onRequest(socket, (request) => {
      requests.push(request);
      socket.write("HTTP/1.1 429 Slow\r\nretry-after: 17\r\nContent-Length: 4\r\n\r\nwait");
    }),
  );
  const { post } = clientOf(started);
  const headers = { "content-type": "application/json", "webhook-id": "dlv_1" };
  const answer = {
    kind: "answered",
    httpStatus: 429,
    retryAfter: "17",
    answer: "wait",
    durationMs: expect.any(Number),
  };
  expect(await post({ path: "/hook?a=%20b#c", headers, body: "{}" })).toEqual(answer);
  expect(await post({ path: "/hook?a=%20b#c", headers, body: new TextEncoder().encode("{}") })).toEqual(
    answer,
  );
  const expected = [
    "POST /hook?a=%20b HTTP/1.1",
    `host: localhost:${started.port}`,
    "connection: keep-alive",
    "content-type: application/json",
    "webhook-id: dlv_1",
    "content-length: 2",
    "",
    "{}",
  ].join("\r\n");
  expect(requests).toEqual([expected, expected]);
});

test.each([301, 302, 303, 307, 308])(
  "a %i is an answer, and nobody is called at its place",
  async (status) => {
    const canary = await receiver((socket) => socket.end());
    const started = await receiver((socket) =>
      onRequest(socket, () => {
        const location = `http://localhost:${canary.port}/`;
        socket.write(`HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
      }),
    );
    const client = createOutboundClient({
      // Allowed, so that the URL check isn't the reason why it isn't called.
      allowedPrivateHosts: new Set([`localhost:${started.port}`, `localhost:${canary.port}`]),
      connectionsPerHostMax: 4,
    });
    const url = `http://localhost:${started.port}/`;
    const result = await client.post({ url, headers: {}, body: "{}", timeoutMs: 20_000 });
    expect(result).toMatchObject({ kind: "answered", httpStatus: status });
    await client.close();
    expect(canary.sockets).toEqual([]);
  },
);

test("no proxy of the environment is asked", async () => {
  const proxy = await receiver((socket) => socket.end());
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
  }
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  const { post } = clientOf(await receiver((socket) => onRequest(socket, () => socket.write(OK))));
  expect(await post()).toMatchObject({ httpStatus: 200 });
  expect(proxy.sockets).toEqual([]);
});

test("a name that the machine's name servers don't know is a failure of its own", async () => {
  const lookup = everyNameResolvesTo();
  const { post } = clientOf({ port: 1 });
  expect(await post({ url: "https://hooks.example/" })).toMatchObject(failed("dns"));
  expect(lookup.mock.calls).toEqual([["hooks.example"]]);
});

test("a header that isn't one fails, and is not thrown", async () => {
  const started = await receiver((socket) => onRequest(socket, () => socket.write(OK)));
  expect(await clientOf(started).post({ headers: { "a b": "c" } })).toMatchObject({ kind: "failed" });
  expect(started.sockets).toEqual([]);
});

describe("a kept connection", () => {
  test("serves one call after the other, until it has been idle for some seconds", async () => {
    const started = await receiver((socket) => onRequest(socket, () => socket.write(OK)));
    const { post } = clientOf(started);
    for (const _ of ["a new one", "kept", "kept again"])
      expect(await post()).toMatchObject({ httpStatus: 200 });
    expect(started.sockets).toHaveLength(1);
    await started.allClosed();
    expect(await post()).toMatchObject({ httpStatus: 200 });
    expect(started.sockets).toHaveLength(2);
  });

  test("that is reset by the next call is replaced by a new one, not by another that was kept", async () => {
    let requests = 0;
    const started = await receiver((socket) => {
      let served = 0;
      onRequest(socket, () => {
        requests += 1;
        served += 1;
        if (served === 1) socket.write(OK);
        else socket.resetAndDestroy();
      });
    });
    const { post } = clientOf(started);
    expect(await Promise.all([post(), post()])).toMatchObject([{ httpStatus: 200 }, { httpStatus: 200 }]);
    expect(started.sockets).toHaveLength(2);
    expect(await post()).toMatchObject({ httpStatus: 200 });
    expect(started.sockets).toHaveLength(3);
    expect(requests).toBe(4);
  });

  test("can't be told from a new one with undici's Agent, when it is reset", async () => {
    let answered = 0;
    const started = await receiver((socket) => {
      onRequest(socket, () => {
        answered += 1;
        if (answered === 1) socket.write(OK);
        else socket.resetAndDestroy();
      });
    });
    const agent = new Agent({ connections: 1 });
    onTestFinished(() => agent.destroy());
    const post = async () => {
      const call = { method: "POST", body: "{}", dispatcher: agent } as const;
      const { statusCode, body } = await undiciRequest(`http://localhost:${started.port}/`, call);
      await body.dump();
      return statusCode;
    };
    const failure = () => post().catch((error: unknown) => ({ ...Object(error), text: String(error) }));
    expect(await post()).toBe(200);
    const ofKept = await failure();
    expect(started.sockets).toHaveLength(1);
    const ofNew = await failure();
    expect(started.sockets).toHaveLength(2);
    expect(ofKept).toMatchObject({ code: expect.any(String) });
    expect(ofKept).toEqual(ofNew);
  });

  test("is given up with its receiver where the new one is reset too", async () => {
    let served = 0;
    const started = await receiver((socket) =>
      onRequest(socket, () => {
        served += 1;
        if (served === 1) socket.write(OK);
        else socket.resetAndDestroy();
      }),
    );
    const { post } = clientOf(started);
    expect(await post()).toMatchObject({ httpStatus: 200 });
    expect(await post()).toMatchObject(failed("reset"));
    expect(served).toBe(3);
    expect(started.sockets).toHaveLength(2);
  });

  test.each([
    { does: "stalls", second: "", timeoutMs: 300, expected: failed("timeout") },
    {
      does: "answers what isn't HTTP",
      second: "hello\r\n",
      timeoutMs: 20_000,
      expected: failed("invalid_answer"),
    },
  ])("whose receiver $does is not tried again", async ({ second, timeoutMs, expected }) => {
    let served = 0;
    const started = await receiver((socket) =>
      onRequest(socket, () => {
        served += 1;
        socket.write(served === 1 ? OK : second);
      }),
    );
    const { post } = clientOf(started);
    expect(await post()).toMatchObject({ httpStatus: 200 });
    expect(await post({ timeoutMs })).toMatchObject(expected);
    await started.allClosed();
    expect(served).toBe(2);
  });

  test("is ended by a close", async () => {
    const started = await receiver((socket) => onRequest(socket, () => socket.write(OK)));
    const { post, close } = clientOf(started);
    expect(await post()).toMatchObject({ httpStatus: 200 });
    await close();
    await eventually(() => expect(started.sockets[0]?.destroyed).toBe(true));
  });

  test("that was closed meanwhile is none", async () => {
    const started = await receiver((socket) => onRequest(socket, () => socket.end(OK)));
    const { post } = clientOf(started);
    expect(await post()).toMatchObject({ httpStatus: 200 });
    await started.allClosed();
    expect(await post()).toMatchObject({ httpStatus: 200 });
    expect(started.sockets).toHaveLength(2);
  });
});

describe("calls at once to one host", () => {
  /** Responds when the test says so. */
  async function holding() {
    const held: Socket[] = [];
    const started = await receiver((socket) => onRequest(socket, () => held.push(socket)));
    return { ...started, held };
  }

  test("are so many at most, and the others' time begins with their turn", async () => {
    const started = await holding();
    const { post } = clientOf(started, 2);
    const timeoutMs = 300;
    const startedAtMs = performance.now();
    const call = async () => {
      const result = await post({ timeoutMs });
      return { result, waitedMs: performance.now() - startedAtMs - result.durationMs };
    };
    const calls = await Promise.all([1, 2, 3, 4].map(call));
    for (const { result } of calls) expect(result).toMatchObject(failed("timeout"));
    // The time of the others doesn't include that of the first two.
    expect(calls.filter(({ waitedMs }) => waitedMs >= timeoutMs - 10)).toHaveLength(2);
    await eventually(() => expect(started.sockets).toHaveLength(4));
  });

  test("don't keep those to another one", async () => {
    const started = await holding();
    const other = await receiver((socket) => onRequest(socket, () => socket.write(OK)));
    const client = createOutboundClient({
      allowedPrivateHosts: new Set([`localhost:${started.port}`, `localhost:${other.port}`]),
      connectionsPerHostMax: 1,
    });
    onTestFinished(() => client.close());
    const call = { headers: {}, body: "{}", timeoutMs: 20_000 };
    const stalled = client.post({ ...call, url: `http://localhost:${started.port}/` });
    expect(await client.post({ ...call, url: `http://localhost:${other.port}/` })).toMatchObject({
      httpStatus: 200,
    });
    await eventually(() => expect(started.held).toHaveLength(1));
    started.held[0]?.write(OK);
    expect(await stalled).toMatchObject({ httpStatus: 200 });
  });

  test("are waited for by a close, which leaves no connection", async () => {
    const started = await holding();
    const { post, close } = clientOf(started, 1);
    const calls = [post(), post()];
    await eventually(() => expect(started.held).toHaveLength(1));
    let isClosed = false;
    const closing = close().then(() => (isClosed = true));
    started.held[0]?.write(OK);
    await eventually(() => expect(started.held).toHaveLength(2));
    expect(isClosed).toBe(false);
    started.held[1]?.write(OK);
    expect(await Promise.all(calls)).toMatchObject([{ httpStatus: 200 }, { httpStatus: 200 }]);
    await closing;
    // Long before its idle time is over.
    await eventually(() => expect(started.sockets[0]?.destroyed).toBe(true));
  });
});
