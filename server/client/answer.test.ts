import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WaypostConnectionError } from "./errors.js";
import {
  ACCEPTED,
  type Answer,
  errorOf,
  json,
  MESSAGE,
  type ScriptedServer,
  startScripted,
} from "./testing.js";

const HTML = "text/html; charset=utf-8";
const page =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { "Content-Type": HTML, ...headers }).end("<h1>Bad Gateway</h1>");

let servers: ScriptedServer[] = [];
const serve = async (...answers: readonly Answer[]) => {
  const server = await startScripted(...answers);
  servers.push(server);
  return server;
};

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

describe("an answer that isn't one of Waypost", () => {
  test("is retried if a proxy can't reach Waypost", async () => {
    const server = await serve(page(502), page(429, { "Retry-After": "0" }), json(201, ACCEPTED));
    expect(await server.client().messages.send(MESSAGE)).toEqual(ACCEPTED);
    expect(server.requests).toHaveLength(3);
  });

  test("is named with its status and type, and the message may have been accepted", async () => {
    const server = await serve(page(502));
    const error = await errorOf(server.client({ maxRetries: 0 }).messages.send(MESSAGE));
    expect(error).toBeInstanceOf(WaypostConnectionError);
    expect(error).toMatchObject({
      reason: "invalid_answer",
      status: 502,
      mayHaveBeenAccepted: true,
      message: expect.stringMatching(
        /sendMessage with HTTP status 502 isn't one of Waypost \(text\/html.+Check/,
      ),
    });
  });

  test.each([200, 403, 404])("isn't retried with %i: the address is wrong", async (status) => {
    const server = await serve(page(status));
    const error = await errorOf(server.client().messages.send(MESSAGE));
    expect(error).toMatchObject({ reason: "invalid_answer", status, mayHaveBeenAccepted: status === 200 });
    expect(server.requests).toHaveLength(1);
  });

  test("can be JSON of another service", async () => {
    const server = await serve(json(400, { detail: "No such route" }));
    expect(await errorOf(server.client().ping())).toMatchObject({ reason: "invalid_answer", status: 400 });
  });

  test("can say as a date when to return", async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const server = await serve(page(503, { "Retry-After": date }));
    const { retryAfterMs } = Object(await errorOf(server.client().ping()));
    expect(retryAfterMs).toBeGreaterThan(3_590_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });
});

test("a redirect isn't followed, so that the key goes nowhere else", async () => {
  const elsewhere = await serve(json(201, ACCEPTED));
  const location = `${elsewhere.url}/api/public/v1/messages`;
  const server = await serve((response) => response.writeHead(308, { Location: location }).end());
  const error = await errorOf(server.client().messages.send(MESSAGE));
  expect(error).toMatchObject({ reason: "redirect", status: 308, mayHaveBeenAccepted: false });
  expect(server.requests).toHaveLength(1);
  expect(elsewhere.requests).toEqual([]);
});

test("an answer without an end is cut off, and its connection closed", async () => {
  let isClosed = false;
  let mebibytes = 0;
  const server = await serve((response) => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    response.writeHead(200).on("close", () => (isClosed = true));
    const write = () => {
      mebibytes += 1;
      if (response.writable) response.write(chunk, write);
    };
    write();
  });
  const error = await errorOf(server.client({ maxRetries: 0 }).ping());
  expect(error).toMatchObject({
    reason: "invalid_answer",
    message: expect.stringContaining("is larger than 33554432 bytes"),
  });
  await vi.waitFor(() => expect(isClosed).toBe(true));
  expect(mebibytes).toBeLessThan(64);
});

test("an answer may be cut anywhere, also within a character", async () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ name: "Grüße" }));
  expect(bytes[11]).toBe(0xc3);
  const body = new ReadableStream({
    start(controller) {
      for (const part of [bytes.slice(0, 12), bytes.slice(12)]) controller.enqueue(part);
      controller.close();
    },
  });
  const server = await serve(json(500, {}));
  const fetch = async () => new Response(body);
  expect(await server.client({ fetch }).ping()).toEqual({ name: "Grüße" });
});

test("another fetch can be used", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(ACCEPTED));
  const server = await serve(json(500, {}));
  expect(await server.client({ fetch }).messages.send(MESSAGE)).toEqual(ACCEPTED);
  expect(fetch).toHaveBeenCalledOnce();
  expect(server.requests).toEqual([]);
});

test("a fetch that ignores its signal doesn't hold up the call", async () => {
  const fetch = () => new Promise<Response>(() => undefined);
  const server = await serve(json(500, {}));
  const call = server.client({ fetch, timeoutMs: 20, maxRetries: 0 }).ping();
  expect(await errorOf(call)).toMatchObject({ reason: "timeout" });
});
