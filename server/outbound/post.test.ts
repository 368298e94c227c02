import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createOutboundClient } from "./post";

/** A receiver at a host that the operator allows, and a client for it. */
async function receiver(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const client = createOutboundClient({
    allowedPrivateHosts: new Set([`localhost:${port}`]),
    connectionsPerHostMax: 4,
  });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  return {
    post: (path: string) =>
      client.post({
        url: `http://localhost:${port}${path}`,
        headers: { "content-type": "application/json", "webhook-id": "dlv_1" },
        body: '{"type":"webhook.test"}',
        timeoutMs: 5_000,
      }),
  };
}

test("posts headers and body as they are given, and tells what was answered", async () => {
  const seen: unknown[] = [];
  const { post } = await receiver((req, res) => {
    const { method, url, headers } = req;
    void text(req).then((body) => {
      seen.push({ method, url, id: headers["webhook-id"], body });
      res.writeHead(429, { "Retry-After": "17" }).end("slow down");
    });
  });
  expect(await post("/hook?a=%20b")).toEqual({
    kind: "answered",
    httpStatus: 429,
    retryAfter: "17",
    answer: "slow down",
    durationMs: expect.any(Number),
  });
  expect(seen).toEqual([
    { method: "POST", url: "/hook?a=%20b", id: "dlv_1", body: '{"type":"webhook.test"}' },
  ]);
});
