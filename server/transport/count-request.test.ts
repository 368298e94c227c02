import { once } from "node:events";
import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { createMetrics } from "@/server/adapters/metrics/metrics";
import { countRequest, countWhenAnswered, routeOf } from "./count-request";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";

let server: Loopback | null = null;
afterEach(() => server?.close());

test.each([
  ["/healthz", "/healthz"],
  ["/api/upstream/whatsapp/0190-of-a-channel", "/api/upstream/whatsapp/{channel_id}"],
  ["/_next/static/x.js", "/_next/*"],
  ["/docs/errors", "/docs/*"],
  ["/anything/a/stranger/asks/for", "/*"],
  ["", "/*"],
])("%s is counted under a name from a closed set: %s", (path, route) => {
  expect(routeOf(path)).toBe(route);
});

test("a method that a stranger made up is counted as another", async () => {
  const metrics = createMetrics();
  countRequest(metrics, { route: "/*", method: "STRANGE", status: 400, durationMs: 20 });
  const text = await metrics.text();
  expect(text).toContain('waypost_http_requests_total{route="/*",method="other",status="400"} 1');
  expect(text).toContain('waypost_http_request_duration_seconds_bucket{le="0.01",route="/*"} 0');
  expect(text).toContain('waypost_http_request_duration_seconds_bucket{le="0.025",route="/*"} 1');
});

test("a request is counted with the status of its answer, and as aborted where the client left before", async () => {
  const metrics = createMetrics();
  const come: (string | undefined)[] = [];
  server = await serveOnLoopback((req, res) => {
    come.push(req.url);
    countWhenAnswered(metrics, res, { route: "/*", method: req.method });
    if (req.url === "/answered") res.writeHead(418).end();
  });
  expect((await fetch(`${server.url}/answered`)).status).toBe(418);
  const leaving = request(`${server.url}/left`).end();
  const left = once(leaving, "error");
  await until("it has come", async () => come.includes("/left"));
  leaving.destroy(new Error("left"));
  await left;
  const counted = async (status: string) =>
    (await metrics.text()).includes(
      `waypost_http_requests_total{route="/*",method="GET",status="${status}"} 1`,
    );
  await until("both are counted", async () => (await counted("418")) && (await counted("aborted")));
});
