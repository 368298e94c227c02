import type { RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { serveOnLoopback } from "@/server/edge/http/testing";
import type { InngestConfig } from "@/server/platform/inngest-config";
import { boundedFetch } from "./bounded-fetch";
import type { JobRunner } from "./job";
import { createRegister } from "./register";

const KEY = "00112233445566778899aabbccddeeff";

/** A registration with a server that responds like this. */
async function registerWith(
  listener: RequestListener,
  keys: Partial<InngestConfig> = {},
  timeoutMs = 60_000,
) {
  const server = await serveOnLoopback(listener);
  onTestFinished(server.close);
  return createRegister({
    inngest: {
      isDev: false,
      baseUrl: server.url,
      eventKey: "event-key",
      signingKey: KEY,
      signingKeyFallback: null,
      serveOrigin: null,
      ...keys,
    },
    // The functions use their dependencies only when they run.
    runner: {} as JobRunner,
    serveUrl: new URL("http://waypost.example/api/inngest"),
    fetch: boundedFetch({ timeoutMs, answerBytesMax: 10_000 }),
  });
}

const takes: RequestListener = (_, res) => void res.end(JSON.stringify({ ok: true, status: 200 }));

test("a server is told every function, and the address at which it is to call it", async () => {
  const asked: string[] = [];
  const register = await registerWith((req, res) => {
    asked.push(req.url ?? "");
    req.setEncoding("utf8").on("data", (text: string) => asked.push(text));
    req.on("end", () => takes(req, res));
  });
  expect(await register()).toBeNull();
  expect(asked[0]).toBe("/fn/register");
  expect(asked.slice(1).join("")).toContain("http://waypost.example/api/inngest?fnId=waypost-drain-channel");
});

test.each<[string, RequestListener, object]>([
  // The responses of Inngest's own server.
  [
    "refuses the signing key",
    (_, res) => void res.writeHead(401, { "Content-Type": "text/plain" }).end("Authentication failed\n"),
    { kind: "key", reason: "it refuses INNGEST_SIGNING_KEY: 401 Authentication failed" },
  ],
  [
    "answers an error",
    (_, res) => void res.writeHead(502).end(),
    { kind: "server", reason: "it answers 502" },
  ],
  ["is a web page", (_, res) => void res.end("<html>"), { kind: "server", reason: "it answers 200 <html>" }],
  [
    "answers at length",
    (_, res) => void res.writeHead(500).end("x".repeat(9_000)),
    { kind: "server", reason: `it answers 500 ${"x".repeat(100)}` },
  ],
])("a server that %s hasn't the functions, and it is said why", async (_, listener, error) => {
  const register = await registerWith(listener);
  expect(await register()).toEqual(error);
  expect(await register()).toEqual(error);
});

test("a server that says nothing hasn't the functions, and it is said why", async () => {
  const register = await registerWith(() => undefined, {}, 300);
  const error = { kind: "unreachable", reason: "fetch failed: no answer within 300 ms" };
  expect(await register()).toEqual(error);
  expect(await register()).toEqual(error);
});

test("a server that still has the old signing key takes the functions by the fallback", async () => {
  const asked: (string | undefined)[] = [];
  const register = await registerWith(
    (req, res) => {
      asked.push(req.headers.authorization);
      if (asked.length === 1) res.writeHead(401).end("Authentication failed");
      else takes(req, res);
    },
    { signingKeyFallback: "ffeeddcc" },
  );
  expect(await register()).toBeNull();
  expect(new Set(asked).size).toBe(2);
});
