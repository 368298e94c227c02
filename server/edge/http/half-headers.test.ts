import { afterEach, expect, test } from "vitest";
import { answerTo, createTestServers } from "@/e2e/support/http-servers";

const { serve, end } = createTestServers();
afterEach(end);

test("headers that don't arrive end the connection when their time is up, with the envelope", async () => {
  const { server, port } = await serve();
  expect(server.headersTimeout).toBe(15_000);
  server.headersTimeout = 200;
  const startedAtMs = performance.now();
  const answer = await answerTo(port, "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Half");
  // By default, Node would check every half a minute, even on a slow machine.
  expect(performance.now() - startedAtMs).toBeLessThan(20_000);
  expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
});
