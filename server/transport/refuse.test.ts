import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { until } from "@/e2e/support/until";
import { answerTo, createTestServers } from "@/e2e/support/http-servers";

const { serve, end } = createTestServers();
afterEach(end);

const PING = "/api/public/v1/ping";
const SEND = "/api/public/v1/messages";
const API = "/api/public/v1/*";

/** Requests, and how they are counted. */
const REFUSED: [string, string, { route: string; method: string; status: number }][] = [
  ["no Host header", `GET ${PING} HTTP/1.1`, { route: API, method: "GET", status: 400 }],
  [
    "an expectation that nobody knows",
    `POST ${PING} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: foo`,
    { route: API, method: "POST", status: 400 },
  ],
  ["no path", "GET * HTTP/1.1\r\nHost: a\r\nConnection: close", { route: "/*", method: "GET", status: 404 }],
  ["what isn't HTTP", "nonsense", { route: "malformed", method: "other", status: 400 }],
  ["a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: a:1", { route: "/*", method: "other", status: 405 }],
];

/** The counts of requests and of their errors. */
const countsIn = (text: string) =>
  text.match(/^waypost_(http_requests|public_api_errors)_total\{.* [1-9]\d*$/gm);

describe("a request that is refused before anything answers it", () => {
  test.each(REFUSED)("is counted once and logged with its id: %s", async (_, asked, counted) => {
    const { port, services } = await serve();
    const debug = vi.spyOn(services.log, "debug");
    const answer = await answerTo(port, `${asked}\r\n\r\n`);
    const { route, method, status } = counted;
    const line = `waypost_http_requests_total{route="${route}",method="${method}",status="${status}"} 1`;
    await until("it is counted", async () => (await services.metrics.text()).includes(line));
    expect(countsIn(await services.metrics.text())).toEqual([line]);
    expect(answer).toMatch(/^Cache-Control: no-store\r$/m);
    const requestId = /^X-Request-Id: (.*)\r$/m.exec(answer)?.[1];
    expect(debug).toHaveBeenCalledWith(expect.objectContaining({ requestId, status }), "request refused");
  });

  test("is counted below the public API of a process that doesn't serve it", async () => {
    const { get, services } = await serve({ role: "jobs" });
    expect((await get(PING)).status).toBe(404);
    const line = `waypost_http_requests_total{route="${API}",method="GET",status="404"} 1`;
    await until("it is counted", async () => (await services.metrics.text()).includes(line));
  });

  test("and half a head whose sender has left is no request", async () => {
    const { port, services } = await serve();
    const left = connect(port, "127.0.0.1");
    left.end("GET /healthz HTTP/1.1\r\nHo").resume();
    await once(left, "close");
    await answerTo(port, "nonsense\r\n\r\n");
    expect(countsIn(await services.metrics.text())).toEqual([
      'waypost_http_requests_total{route="malformed",method="other",status="400"} 1',
    ]);
  });

  test("and a kept connection that is reset between requests is none", async () => {
    const { port, services } = await serve();
    const broken = vi.spyOn(services.metrics, "count");
    const kept = connect(port, "127.0.0.1");
    kept.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(kept, "data");
    kept.resetAndDestroy();
    await once(kept, "close");
    await answerTo(port, "nonsense\r\n\r\n");
    const counts = broken.mock.calls.filter(([name]) => name === "waypost_http_requests_total");
    expect(counts.map(([, labels]) => "route" in labels && labels.route)).toEqual(["/healthz", "malformed"]);
  });
});

const LEAVING: [string, (socket: Socket) => unknown][] = [
  ["closes the connection", (socket) => socket.end()],
  ["resets it", (socket) => socket.resetAndDestroy()],
  ["sends what is no part of it", (socket) => socket.write("zz\r\n")],
];

test.each(LEAVING)("a client that within a body %s is counted once, as aborted", async (_, leave) => {
  const { port, services } = await serve();
  const { secret } = await createKey({ ctx: await createTestOrganization(services), input: { name: "Key" } });
  const socket = connect(port, "127.0.0.1");
  const head = `POST ${SEND} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${secret}\r\nExpect: 100-continue`;
  socket.write(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`);
  await once(socket, "data");
  leave(socket);
  await once(socket, "close");
  const counts = await until("it is counted", async () => {
    const lines = countsIn(await services.metrics.text());
    return lines?.some((line) => line.includes(SEND)) && lines;
  });
  const labels = `route="${SEND}",method="POST",status="aborted"`;
  expect(counts).toEqual([`waypost_http_requests_total{${labels}} 1`]);
});

test("a refused key is logged with the address that a trusted proxy tells", async () => {
  const { port, services } = await serve();
  const info = vi.spyOn(services.log, "info");
  await answerTo(
    port,
    `GET ${PING} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`,
  );
  expect(info).toHaveBeenCalledWith(expect.objectContaining({ remoteAddress: "192.0.2.1" }), "key refused");
});
