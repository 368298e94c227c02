import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { until } from "@/e2e/support/until";
import { answerTo, createTestServers } from "@/e2e/support/http-servers";

const { serve, end } = createTestServers();
afterEach(end);

const PING = "/api/public/v1/ping";
const API = "/api/public/v1/*";

/** What was asked, and how it is counted. */
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

describe("a request that is refused before anything answers it", () => {
  test.each(REFUSED)("is counted once and logged with its id: %s", async (_, asked, counted) => {
    const { port, services } = await serve();
    const debug = vi.spyOn(services.log, "debug");
    const answer = await answerTo(port, `${asked}\r\n\r\n`);
    const { route, method, status } = counted;
    const line = `waypost_http_requests_total{route="${route}",method="${method}",status="${status}"} 1`;
    await until("it is counted", async () => (await services.metrics.text()).includes(line));
    const counts = (await services.metrics.text()).match(/^waypost_http_requests_total\{.*/gm);
    expect(counts).toEqual([line]);
    const requestId = /^X-Request-Id: (.*)\r$/m.exec(answer)?.[1];
    expect(debug).toHaveBeenCalledWith(expect.objectContaining({ requestId, status }), "request refused");
  });

  test("is counted below the public API of a process that doesn't serve it", async () => {
    const { get, services } = await serve({ role: "jobs" });
    expect((await get(PING)).status).toBe(404);
    const line = `waypost_http_requests_total{route="${API}",method="GET",status="404"} 1`;
    await until("it is counted", async () => (await services.metrics.text()).includes(line));
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
