import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Waypost } from "./client.js";
import { WaypostConnectionError } from "./errors.js";
import { OPERATIONS } from "./operations.js";
import {
  ACCEPTED,
  type Answer,
  errorOf,
  json,
  MESSAGE,
  type ScriptedServer,
  startScripted,
} from "./testing.js";

const PING = { ok: true, organization_id: "0198e7d0-77a1-7d2c-9b1e-4c5d6e7f8091" };
const noContent: Answer = (response) => response.writeHead(204).end();
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

  test.each([
    ["an error without the members of Waypost's", { detail: "No such route" }],
    ["an error without advice", { error: { code: "not_found", message: "No such route" } }],
  ])("can be JSON of another service: %s", async (_, body) => {
    const server = await serve(json(400, body));
    const call = server.client().messages.send(MESSAGE);
    expect(await errorOf(call)).toMatchObject({ reason: "invalid_answer", status: 400 });
  });

  test("is repeated for what only reads, whatever its status", async () => {
    const redirect: Answer = (response) => response.writeHead(307, { Location: "/" }).end();
    const server = await serve(page(200), page(404), noContent, redirect, json(200, PING));
    expect(await server.client().ping()).toEqual(PING);
    expect(server.requests).toHaveLength(5);
  });

  test("can say as a date when to return", async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const server = await serve(page(503, { "Retry-After": date }));
    const { retryAfterMs } = Object(await errorOf(server.client().ping()));
    expect(retryAfterMs).toBeGreaterThan(3_590_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });
});

describe("a successful status doesn't show that", () => {
  const calls: Readonly<Record<string, (client: Waypost) => PromiseLike<unknown>>> = {
    ping: (client) => client.ping(),
    listChannels: (client) => client.channels.list(),
    sendMessage: (client) => client.messages.send(MESSAGE),
    listMessages: (client) => client.messages.list(),
    getMessage: (client) => client.messages.get("1"),
    listThreads: (client) => client.threads.list(),
    getThread: (client) => client.threads.get("1"),
    listContacts: (client) => client.contacts.list(),
    getContact: (client) => client.contacts.get("1"),
    updateContact: (client) => client.contacts.update("1", { name: "Ana" }),
    listTemplates: (client) => client.templates.list(),
    createUpload: (client) => client.uploads.create(new Blob(["%PDF"])),
    listWebhooks: (client) => client.webhooks.list(),
    createWebhook: (client) => client.webhooks.create({ url: null }),
    getWebhook: (client) => client.webhooks.get("1"),
    updateWebhook: (client) => client.webhooks.update("1", {}),
    deleteWebhook: (client) => client.webhooks.delete("1"),
    rotateWebhookSecret: (client) => client.webhooks.rotateSecret("1"),
    testWebhook: (client) => client.webhooks.test("1"),
    listDeliveries: (client) => client.webhooks.deliveries("1"),
    redeliver: (client) => client.webhooks.redeliver("1", "2"),
    replay: (client) => client.webhooks.replay("1", { since: new Date(), only: "failed" }),
  };
  const text: Answer = (response) =>
    response.writeHead(200, { "Content-Type": "text/plain" }).end('{"status":"ok"}');
  const foreign: Readonly<Record<string, Answer>> = {
    "an empty object": json(200, {}),
    "an empty array": json(200, []),
    "an error": json(200, { error: { code: "x", message: "It failed", resend: "never" } }),
    "text of another service": text,
    "a page without a cursor": json(200, { data: [] }),
    "a page of something else": json(200, { data: [null], next_cursor: null }),
    "ids that aren't text": json(200, { id: 1, message_id: 1, storage_key: 1, organization_id: 1 }),
    "no content": noContent,
  };

  test("of any operation", () => {
    expect(Object.keys(calls).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  });

  test.each(Object.keys(foreign))("with %s, of any operation", async (name) => {
    const server = await serve(foreign[name] ?? noContent);
    const client = server.client({ maxRetries: 0 });
    for (const [operation, call] of Object.entries(calls)) {
      if (name === "no content" && operation === "deleteWebhook") continue;
      const error = await errorOf(Promise.resolve(call(client)));
      expect(error, operation).toMatchObject({ reason: "invalid_answer", operation });
    }
  });

  test("with the answer to another message", async () => {
    const server = await serve(json(201, { ...ACCEPTED, client_message_id: "order-4712-shipped" }));
    const error = await errorOf(server.client().messages.send(MESSAGE));
    expect(error).toMatchObject({ reason: "invalid_answer", status: 201, mayHaveBeenAccepted: true });
    expect(server.requests).toHaveLength(1);
  });

  test("while a list is being read", async () => {
    const server = await serve(json(200, { data: [{ message_id: "1" }], next_cursor: "A" }), json(200, []));
    const read: string[] = [];
    const reading = (async () => {
      const messages = server.client({ maxRetries: 1 }).messages.list();
      for await (const { message_id } of messages) read.push(message_id);
    })();
    expect(await errorOf(reading)).toMatchObject({ reason: "invalid_answer", operation: "listMessages" });
    expect(read).toEqual(["1"]);
    expect(server.requests).toHaveLength(3);
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
  const bytes = new TextEncoder().encode(JSON.stringify({ name: "Grüße", organization_id: "1" }));
  expect(bytes[11]).toBe(0xc3);
  const body = new ReadableStream({
    start(controller) {
      for (const part of [bytes.slice(0, 12), bytes.slice(12)]) controller.enqueue(part);
      controller.close();
    },
  });
  const server = await serve(json(500, {}));
  const fetch = async () => new Response(body);
  expect(await server.client({ fetch }).ping()).toMatchObject({ name: "Grüße" });
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
