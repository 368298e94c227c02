import { Writable } from "node:stream";
import pino from "pino";
import { test, type TestContext } from "vitest";
import type { RequestListener } from "node:http";
import { serveOnLoopback } from "@/server/edge/http/testing";
import type { JobSignal } from "@/server/core/jobs";
import { boundedFetch } from "./bounded-fetch";
import { createInngestClient } from "./client";
import { createSignalSender } from "./send-signals";

const SIGNAL: JobSignal = { kind: "callbacks", id: "01920000-0000-7000-8000-000000000001", at: null };
const EVENT_KEY = "secret-event-key";
/** Time limit of a call. A wake-up must not wait for it. */
const TIMEOUT_MS = 60_000;

/** Wake-ups sent to a server that responds like this. */
async function sending(
  { onTestFinished }: TestContext,
  listener: RequestListener,
  { isLoggedElsewhere = false } = {},
) {
  const server = await serveOnLoopback(listener);
  onTestFinished(server.close);
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: "trace" }, destination);
  const inngest = createInngestClient({
    inngest: {
      isDev: false,
      baseUrl: server.url,
      eventKey: EVENT_KEY,
      signingKey: "signkey-test-00",
      signingKeyFallback: null,
      serveOrigin: null,
    },
    log,
    fetch: boundedFetch({ timeoutMs: TIMEOUT_MS, answerBytesMax: 10_000 }),
  });
  const unsent: JobSignal[] = [];
  const send = createSignalSender({
    inngest,
    log,
    server: "http://inngest.example",
    unsent(signals) {
      unsent.push(...signals);
      return isLoggedElsewhere;
    },
  });
  return { send: () => send([SIGNAL]), unsent, lines };
}

const taken: RequestListener = (req, res) => {
  req.resume();
  res.setHeader("Content-Type", "application/json");
  res.end(JSON.stringify({ ids: ["1"], status: 200 }));
};

const MISBEHAVING: readonly [string, RequestListener][] = [
  ["never answers", () => undefined],
  ["answers 500", (_, res) => void res.writeHead(500).end("Internal Server Error")],
  ["answers garbage", (_, res) => void res.end("<html>")],
  ["answers without end", (_, res) => void res.end("x".repeat(100_000))],
  [
    "knows another key",
    (_, res) => void res.writeHead(401).end('{"error":"Event key not found","status":401}'),
  ],
  ["breaks off", (req) => void req.destroy()],
];

test.concurrent.for(MISBEHAVING)(
  "a wake-up to a server that %s is handed to who stands in within seconds, and told once, without the key",
  async ([, listener], context) => {
    const { expect } = context;
    const { send, unsent, lines } = await sending(context, listener);
    const startedAtMs = performance.now();
    await Promise.all([send(), send()]);
    expect(performance.now() - startedAtMs).toBeLessThan(TIMEOUT_MS);
    expect(unsent).toEqual([SIGNAL, SIGNAL]);
    expect(lines).toEqual([expect.stringMatching(/"server":"http:..inngest.example".*wake-ups don't reach/)]);
    expect(lines.join()).not.toContain(EVENT_KEY);
    expect(lines.join()).not.toContain("signkey-test");
  },
);

test.concurrent("a wake-up that is taken is handed to nobody else", async (context) => {
  const { expect } = context;
  const { send, unsent, lines } = await sending(context, taken);
  await send();
  expect({ unsent, lines }).toEqual({ unsent: [], lines: [] });
});

test.concurrent("wake-ups that fail are told by nobody twice", async (context) => {
  const { expect } = context;
  const refuses: RequestListener = (_, res) => void res.writeHead(401).end("{}");
  const { send, unsent, lines } = await sending(context, refuses, { isLoggedElsewhere: true });
  await send();
  expect({ unsent, lines }).toEqual({ unsent: [SIGNAL], lines: [] });
});
