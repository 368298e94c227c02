import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { serveTls } from "@/server/adapters/whatsapp/testing-tls";
import { Waypost } from "./client.js";
import { WaypostConnectionError, WaypostError } from "./errors.js";
import type { Retry } from "./options.js";
import {
  ACCEPTED,
  type Answer,
  breakOff,
  errorOf,
  hang,
  json,
  KEY,
  MESSAGE,
  refusal,
  type ScriptedServer,
  startScripted,
} from "./testing.js";

let servers: ScriptedServer[] = [];
const serve = async (...answers: readonly Answer[]) => {
  const server = await startScripted(...answers);
  servers.push(server);
  return server;
};

// Full jitter without its wait.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

describe("a message that may have been accepted", () => {
  test("is sent again with the same bytes, and the answer says that Waypost already had it", async () => {
    const server = await serve(breakOff, json(200, { ...ACCEPTED, deduplicated: true }));
    const retries: Retry[] = [];
    const sent = await server.client({ onRetry: (retry) => retries.push(retry) }).messages.send(MESSAGE);
    expect(sent).toEqual({ ...ACCEPTED, deduplicated: true });
    const [first, second] = server.requests;
    expect(first).toMatchObject({ method: "POST", path: "/api/public/v1/messages" });
    expect(first?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      accept: "application/json",
    });
    expect(JSON.parse(String(first?.body))).toEqual(MESSAGE);
    expect(second?.body).toEqual(first?.body);
    expect(retries).toMatchObject([
      {
        operation: "sendMessage",
        attempt: 2,
        error: { name: "WaypostConnectionError", reason: "network", mayHaveBeenAccepted: true },
      },
    ]);
  });

  test("is reported as such if no try is answered", async () => {
    const server = await serve(breakOff);
    const error = await errorOf(server.client().messages.send(MESSAGE));
    expect(error).toBeInstanceOf(WaypostConnectionError);
    expect(error).toMatchObject({
      reason: "network",
      operation: "sendMessage",
      mayHaveBeenAccepted: true,
      message: expect.stringMatching(/^No answer to sendMessage: .+ It was tried 5 times\. Waypost may have/),
    });
    expect(server.requests).toHaveLength(5);
  });

  test("may also have been accepted if only an earlier try reached Waypost", async () => {
    const server = await serve(breakOff);
    const call = server.client({ maxRetries: 1, onRetry: () => void server.close() }).messages.send(MESSAGE);
    servers = [];
    expect(await errorOf(call)).toMatchObject({
      mayHaveBeenAccepted: true,
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

test("a message that was never sent is reported as such", async () => {
  const server = await serve(hang);
  await server.close();
  servers = [];
  const error = await errorOf(server.client({ maxRetries: 1 }).messages.send(MESSAGE));
  expect(error).toMatchObject({ reason: "network", mayHaveBeenAccepted: false });
});

test("a server whose certificate isn't trusted gets nothing", async () => {
  const server = await serveTls();
  try {
    const client = new Waypost({ apiKey: KEY, baseUrl: server.url, maxRetries: 0 });
    const error = await errorOf(client.messages.send(MESSAGE));
    expect(error).toMatchObject({
      mayHaveBeenAccepted: false,
      message: expect.stringMatching(/self-signed/),
    });
    expect(server.requests()).toBe(0);
  } finally {
    await server.close();
  }
});

test("what only reads changes nothing, whatever happens", async () => {
  const server = await serve(refusal(500, "internal_error"), breakOff);
  const error = await errorOf(server.client({ maxRetries: 1 }).ping());
  expect(error).toMatchObject({ reason: "network", mayHaveBeenAccepted: false });
});

test.each([500, 502, 503, 504])("%i is retried until it is over", async (status) => {
  const server = await serve(
    refusal(status, "unavailable"),
    refusal(status, "unavailable"),
    json(201, ACCEPTED),
  );
  expect(await server.client().messages.send(MESSAGE)).toEqual(ACCEPTED);
  expect(server.requests).toHaveLength(3);
});

test("the last refusal is thrown, with all that Waypost says and the caller's line", async () => {
  const refused = {
    code: "recipient_unreachable",
    message: "WhatsApp couldn't deliver.",
    field: "to.handle",
    resend: "later",
    resend_after: "2026-02-01T12:00:00.000Z",
    doc_url: "https://waypost.test/docs/errors#recipient_unreachable",
  };
  const server = await serve(json(422, { error: refused }));
  async function shipOrder() {
    const sent = await server.client().messages.send(MESSAGE);
    return sent;
  }
  const error = await errorOf(shipOrder());
  expect(error).toBeInstanceOf(WaypostError);
  expect(error).toMatchObject({
    name: "WaypostError",
    code: "recipient_unreachable",
    message: "WhatsApp couldn't deliver.",
    status: 422,
    field: "to.handle",
    resend: "later",
    resendAfter: new Date("2026-02-01T12:00:00Z"),
    docUrl: refused.doc_url,
    requestId: "request-422",
    operation: "sendMessage",
    stack: expect.stringContaining("shipOrder"),
  });
  expect(server.requests).toHaveLength(1);
});

describe("Retry-After", () => {
  const limited = refusal(429, "rate_limited", { "Retry-After": "1" });

  test("is waited for, also by what may not be repeated otherwise", async () => {
    const server = await serve(limited, json(201, { id: "1", secret: "whsec_MQ==" }));
    const startedAt = performance.now();
    expect(await server.client().webhooks.create({ url: null })).toMatchObject({ id: "1" });
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  test("beyond the budget is thrown at once", async () => {
    const server = await serve(refusal(429, "rate_limited", { "Retry-After": "3600" }));
    const error = await errorOf(server.client().messages.send(MESSAGE));
    expect(error).toMatchObject({ code: "rate_limited", status: 429, retryAfterMs: 3_600_000 });
    expect(server.requests).toHaveLength(1);
  });
});

describe("what must not be done twice", () => {
  const calls: Readonly<Record<string, (client: Waypost) => Promise<unknown>>> = {
    createWebhook: (client) => client.webhooks.create({ url: null }),
    rotateWebhookSecret: (client) => client.webhooks.rotateSecret("1"),
    testWebhook: (client) => client.webhooks.test("1"),
  };

  test.each(Object.keys(calls))("%s isn't repeated after an unknown outcome", async (name) => {
    for (const answer of [breakOff, refusal(500, "internal_error"), refusal(503, "unavailable")]) {
      const server = await serve(answer);
      await errorOf(calls[name]?.(server.client()) ?? Promise.resolve());
      expect(server.requests).toHaveLength(1);
    }
  });

  test("is repeated if it certainly wasn't done", async () => {
    const server = await serve(hang);
    await server.close();
    servers = [];
    const retries: Retry[] = [];
    const client = server.client({ maxRetries: 2, onRetry: (retry) => retries.push(retry) });
    expect(await errorOf(client.webhooks.create({ url: null }))).toMatchObject({
      mayHaveBeenAccepted: false,
    });
    expect(retries).toHaveLength(2);
  });
});

test("deleting succeeds if a repeat finds the endpoint gone, and fails if the first try does", async () => {
  const gone = refusal(404, "webhook_not_found");
  const server = await serve(breakOff, gone);
  expect(await server.client().webhooks.delete("1")).toBeUndefined();
  expect(await errorOf((await serve(gone)).client().webhooks.delete("1"))).toMatchObject({ status: 404 });
  const ofProxy: Answer = (response) => response.writeHead(404).end("<h1>Not Found</h1>");
  for (const missing of [ofProxy, refusal(404, "not_found")]) {
    const { webhooks } = (await serve(refusal(502, "unavailable"), missing)).client();
    expect(await errorOf(webhooks.delete("1"))).toMatchObject({ status: 404 });
  }
});

test("all tries of a replay are one replay", async () => {
  const since = "2026-01-31T12:00:00Z";
  const server = await serve(breakOff, json(200, { since, until: since, only: "failed" }));
  await server.client().webhooks.replay("1", { since: new Date("2026-01-31T12:00:00Z"), only: "failed" });
  const [first, second] = server.requests.map(({ body }) => JSON.parse(String(body)));
  expect(first).toEqual({
    since: "2026-01-31T12:00:00.000Z",
    only: "failed",
    replay_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(second).toEqual(first);
  await server.client().webhooks.replay("1", { since, only: "all" });
  // Waypost asks for an id that the program has stored.
  expect(String(server.requests[2]?.body)).not.toContain("replay_id");
});

describe("time limits", () => {
  test("a try that hangs is ended", async () => {
    const server = await serve(hang);
    const retries: Retry[] = [];
    const client = server.client({ timeoutMs: 50, maxRetries: 1, onRetry: (retry) => retries.push(retry) });
    expect(await errorOf(client.messages.send(MESSAGE))).toMatchObject({
      reason: "timeout",
      mayHaveBeenAccepted: true,
      message: expect.stringContaining("within 0.05 s"),
    });
    // A try of 50 ms may end before a busy server has read it.
    expect(retries).toHaveLength(1);
  });

  test("an answer that doesn't end is ended too", async () => {
    const server = await serve((response) => response.writeHead(200).write('{"data":['));
    const call = server.client({ timeoutMs: 100, maxRetries: 0 }).ping();
    expect(await errorOf(call)).toMatchObject({ reason: "timeout", mayHaveBeenAccepted: false });
  });

  test("a budget ends the tries, however many are left", async () => {
    const server = await serve(hang);
    const startedAt = performance.now();
    await errorOf(
      server.client().messages.send(MESSAGE, { timeoutMs: 100, retryBudgetMs: 500, maxRetries: 100 }),
    );
    // A hundred tries with their waits would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test("a repeat has what the budget leaves", async () => {
    const server = await serve(hang);
    const limits = { timeoutMs: 2_000, retryBudgetMs: 4_000, maxRetries: 1 };
    const error = await errorOf(server.client().messages.send(MESSAGE, limits));
    expect(error).toMatchObject({ reason: "timeout", message: expect.stringMatching(/within [01]\.\d+ s/) });
  });
});

describe("a signal", () => {
  test("ends a try, and a wait", async () => {
    const reason = new Error("The program ends");
    const busy = refusal(429, "rate_limited", { "Retry-After": "60" });
    for (const answer of [hang, busy]) {
      const server = await serve(answer);
      const controller = new AbortController();
      const call = server.client().messages.send(MESSAGE, { signal: controller.signal });
      await vi.waitFor(() => expect(server.requests).toHaveLength(1));
      controller.abort(reason);
      expect(await errorOf(call)).toBe(reason);
      expect(server.requests).toHaveLength(1);
    }
  });

  test("that is aborted before sends nothing", async () => {
    const server = await serve(json(201, ACCEPTED));
    const signal = AbortSignal.abort();
    expect(await errorOf(server.client().messages.send(MESSAGE, { signal }))).toBe(signal.reason);
    expect(server.requests).toEqual([]);
  });
});

test("the key is in no error, and in no view of the client", async () => {
  const client = (await serve(breakOff)).client({ maxRetries: 0 });
  const refusing = (await serve(refusal(401, "invalid_api_key"))).client();
  const errors = await Promise.all([errorOf(client.ping()), errorOf(refusing.ping())]);
  const shown = [client, ...errors].map((one) =>
    inspect(one, { depth: 10, showHidden: true, getters: true }),
  );
  expect(shown.join() + JSON.stringify([client, errors])).not.toContain(KEY);
});
