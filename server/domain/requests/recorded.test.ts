import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { revokeKey } from "@/server/domain/keys/revoke";
import { rotateKey } from "@/server/domain/keys/rotate";
import { generateSecret } from "@/server/domain/keys/secret";
import {
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  textTo,
} from "@/server/domain/messages/testing";
import { createRuntime } from "@/server/boot/runtime";
import {
  type AskOptions,
  servePublicApi,
  storedCounts,
  storedRequestCounts,
  storedRequests,
} from "./testing";

let world: SendWorld;
let api: Awaited<ReturnType<typeof servePublicApi>>;
let key: { id: string; secret: string };
let threadId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  api = await servePublicApi(world.services);
  ({ threadId } = await openConversation(world.ctx, world.channelId));
});
afterAll(async () => {
  await api.close();
  await world.close();
});
beforeEach(async () => {
  await world.sql`truncate api_requests, refusal_hours, request_hours`;
  key = await createKey({ ctx: world.ctx, input: { name: "Shop" } });
});

const rows = () => storedRequests(world.sql);
const hours = () => storedCounts(world.sql);
const counts = () => storedRequestCounts(world.sql);

const MESSAGES = "/api/public/v1/messages";
const withKey = (secret: string) => ({ "x-api-key": secret, "content-type": "application/json" });

/** Posts a message, with the test's key by default. */
const post = (body: unknown, options: AskOptions = {}) =>
  api.ask("/messages", {
    method: "POST",
    headers: withKey(key.secret),
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...options,
  });

describe("a refused request of a known key is recorded", () => {
  const toNobody = { ...textTo(randomUUID()), client_message_id: "order-1" };
  test.each([
    {
      what: "422",
      body: toNobody,
      row: { status: 422, code: "thread_not_found", field: "thread_id", clientMessageId: "order-1" },
    },
    {
      what: "400 with its field",
      body: { ...toNobody, text: { body: "" } },
      row: { status: 400, code: "validation_failed", field: "text.body", clientMessageId: "order-1" },
    },
    {
      what: "400 for a body that can't be read",
      body: "{",
      row: { status: 400, code: "validation_failed", field: null, clientMessageId: null },
    },
    {
      what: "400 for an id that is too long to be one",
      body: { ...toNobody, client_message_id: "x".repeat(129) },
      row: { status: 400, code: "validation_failed", field: "client_message_id", clientMessageId: null },
    },
    {
      what: "400 for an id that can't be stored",
      body: { ...toNobody, client_message_id: "a\0b" },
      row: { status: 400, code: "validation_failed", field: "client_message_id", clientMessageId: null },
    },
    {
      what: "413 by the length that was declared, before the key is looked at",
      body: "x".repeat(70_000),
      row: { status: 413, code: "payload_too_large", clientMessageId: null, route: "/api/public/v1/*" },
    },
  ])("$what", async ({ body, row }) => {
    const { status, requestId } = await post(body);
    await api.written();
    expect(status).toBe(row.status);
    expect(await rows()).toEqual([
      expect.objectContaining({ id: requestId, keyId: key.id, method: "POST", route: MESSAGES, ...row }),
    ]);
    expect(await hours()).toEqual([{ keyId: key.id, code: row.code, refused: 1, kept: 1 }]);
    const { route = MESSAGES } = row;
    expect(await counts()).toEqual([{ keyId: key.id, method: "POST", route, status: row.status, count: 1 }]);
  });

  test("413 by what came of a body, in chunks", async () => {
    await post("", { body: Array.from({ length: 8 }, () => "x".repeat(10_000)) });
    await api.written();
    expect(await rows()).toMatchObject([{ status: 413, code: "payload_too_large", route: MESSAGES }]);
  });

  test("401 of a key that was revoked, and of a secret that was replaced", async () => {
    const { secret } = await rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 0 } });
    const replaced = await post(toNobody);
    const live = await post(toNobody, { headers: withKey(secret) });
    await revokeKey({ ctx: world.ctx, input: { keyId: key.id } });
    const revoked = await post(toNobody, { headers: withKey(secret) });
    await api.written();
    expect([replaced.status, live.status, revoked.status]).toEqual([401, 422, 401]);
    expect(await rows()).toMatchObject([
      { id: replaced.requestId, code: "api_key_revoked", keyId: key.id },
      { id: live.requestId, code: "thread_not_found", keyId: key.id },
      { id: revoked.requestId, code: "api_key_revoked", keyId: key.id },
    ]);
    const [used] = await world.sql<{ secrets: number }[]>`
      select count(distinct r.secret_id)::int as secrets from api_requests r
      join api_key_secrets s on s.id = r.secret_id and s.key_id = r.key_id`;
    expect(used?.secrets).toBe(2);
    expect(await hours()).toMatchObject([
      { code: "api_key_revoked", refused: 2, kept: 2 },
      { code: "thread_not_found", refused: 1, kept: 1 },
    ]);
  });

  test("401 of a key that has expired", async () => {
    await world.sql`update api_keys set expires_at = now() where id = ${key.id}`;
    await post(toNobody);
    await api.written();
    expect(await rows()).toMatchObject([{ status: 401, code: "api_key_expired", keyId: key.id }]);
  });

  test("429", async () => {
    const limited = await createKey({ ctx: world.ctx, input: { name: "Limited", readLimit: 1 } });
    const ping = () => api.ask("/ping", { headers: { authorization: `Bearer ${limited.secret}` } });
    expect([(await ping()).status, (await ping()).status]).toEqual([200, 429]);
    await api.written();
    expect(await rows()).toMatchObject([
      {
        status: 429,
        code: "rate_limited",
        method: "GET",
        route: "/api/public/v1/ping",
        keyId: limited.id,
      },
    ]);
  });

  test("403, 404 of a path and 405", async () => {
    const headers = withKey(key.secret);
    const reader = await createKey({ ctx: world.ctx, input: { name: "R", scopes: ["messages:read"] } });
    await post(toNobody, { headers: withKey(reader.secret) });
    await api.ask("/nothing/4915112345678", { headers });
    await api.ask("/messages", { method: "DELETE", headers });
    await api.written();
    const recorded = (await rows()).map(({ code, method, route }) => [code, method, route]);
    // Refusals within one millisecond have no order.
    expect(recorded).toHaveLength(3);
    expect(recorded).toEqual(
      expect.arrayContaining([
        ["missing_scope", "POST", MESSAGES],
        ["not_found", "GET", "/api/public/v1/*"],
        ["method_not_allowed", "DELETE", "/api/public/v1/*"],
      ]),
    );
  });

  test("on Next's mount as on node's, through the one runtime, and flushed when it closes", async () => {
    const runtime = createRuntime(world.services, async () => new Response());
    const url = `http://localhost${MESSAGES}`;
    const body = JSON.stringify(toNobody);
    const answer = await runtime.publicApi.fetch(
      new Request(url, { method: "POST", headers: withKey(key.secret), body }),
    );
    expect(answer.status).toBe(422);
    const messageId = await queueText(world.ctx, threadId);
    const read = await runtime.publicApi.fetch(
      new Request(`${url}/${messageId}`, { headers: withKey(key.secret) }),
    );
    expect(read.status).toBe(200);
    await runtime.close();
    expect(await rows()).toMatchObject([{ id: answer.headers.get("x-request-id"), keyId: key.id }]);
    expect(await counts()).toMatchObject([
      { method: "GET", route: "/api/public/v1/messages/{id}", status: 200, count: 1 },
      { method: "POST", route: MESSAGES, status: 422, count: 1 },
    ]);
  });

  test("500 and 503, without the key's having been read", async () => {
    let failure: Error = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    const rejected = () => {
      const promise = Promise.reject(failure);
      promise.catch(() => undefined);
      return promise;
    };
    const services = { ...world.services, sql: new Proxy(world.services.sql, { apply: rejected }) };
    const failing = await servePublicApi(services, { sql: world.services.sql });
    await failing.ask("/ping", { headers: withKey(key.secret) });
    failure = new Error("a fault of ours");
    await failing.ask("/ping", { headers: withKey(key.secret) });
    await failing.close();
    expect(await rows()).toMatchObject([
      { status: 503, code: "unavailable", keyId: key.id, route: "/api/public/v1/ping" },
      { status: 500, code: "internal_error", keyId: key.id, route: "/api/public/v1/ping" },
    ]);
  });
});

test("a message that was accepted or repeated is only counted, and nothing is recorded where no key is known", async () => {
  const body = textTo(threadId);
  const { secret: unknown } = generateSecret();
  const answers = [
    await post(body),
    await post(body),
    await post(body, { headers: withKey(unknown) }),
    await post(body, { headers: withKey("ak_live_nothing") }),
    await post(body, { headers: { "content-type": "application/json" } }),
    await post(body, { headers: { ...withKey(key.secret), authorization: `Bearer ${unknown}` } }),
    await api.ask("/nothing", { headers: withKey(unknown) }),
    await api.ask("/nothing"),
  ];
  await api.written();
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 401, 401, 401, 401, 404, 404]);
  expect(await rows()).toEqual([]);
  expect(await hours()).toEqual([]);
  expect(await counts()).toEqual([
    { keyId: key.id, method: "POST", route: MESSAGES, status: 200, count: 1 },
    { keyId: key.id, method: "POST", route: MESSAGES, status: 201, count: 1 },
  ]);
});

test("neither a secret, nor a number, nor a word of a message comes into the rows, wherever it was sent", async () => {
  const words = "meet me at the old bridge";
  const number = "4915112345678";
  const message = {
    client_message_id: "order-2",
    type: "text",
    to: { kind: "whatsapp", handle: number },
    text: { body: words },
  };
  for (const body of [
    { ...message, to: { kind: "sms", handle: number } },
    { ...message, [words]: 1 },
    { ...message, text: { body: words, [number]: 1 } },
    { ...message, [key.secret]: 1 },
    { ...message, client_message_id: key.secret, type: words },
  ]) {
    expect((await post(body)).status).toBe(400);
  }
  await api.ask(`/messages?${key.secret}=1`, { headers: withKey(key.secret) });
  await api.ask(`/${key.secret}/${number}`, { headers: withKey(key.secret) });
  await api.written();
  const stored = await world.sql<{ text: string }[]>`
    select r::text as text from api_requests r union all select h::text from refusal_hours h
    union all select h::text from request_hours h`;
  const text = stored.map((row) => row.text).join("\n");
  expect(await rows()).toHaveLength(7);
  expect(text).toContain("order-2");
  for (const hidden of [words, number, key.secret, key.secret.slice(8)]) expect(text).not.toContain(hidden);
});
