import { afterAll, expect, test } from "vitest";
import { answerTo, createTestServers } from "@/e2e/support/http-servers";
import { limitMs } from "@/e2e/support/machine-speed";

const { serve, end } = createTestServers();
afterAll(end);

test("half of a request's headers is waited for 15 seconds, and not much longer", async () => {
  const { port } = await serve();
  const startedAtMs = performance.now();
  const answer = await answerTo(port, "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Half");
  const seconds = (performance.now() - startedAtMs) / 1000;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(seconds).toBeGreaterThan(14);
  expect(seconds).toBeLessThan(15 + limitMs(2_000) / 1000);
});
