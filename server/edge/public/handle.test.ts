import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createServer } from "node:http";
import { appRouter } from "@/server/edge/trpc/router";
import type { Services } from "@/server/core/context";
import { closeServer, listen } from "@/server/edge/http/listen";
import { createKey } from "@/server/domain/keys/create";
import { createMetrics } from "@/server/adapters/metrics/metrics";
import { openConversation, openSendWorld, type SendWorld, textTo } from "@/server/domain/messages/testing";
import { createPublicHandler, type PublicHandler, type PublicRequest } from "./handle";
import { fetchMount, nodeMount } from "./mounts";

let world: SendWorld;
let secret: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ secret } = await createKey({ ctx: world.ctx, input: { name: "Key" } }));
});
afterAll(() => world.close());

const handlerOf = (services: Services): PublicHandler => createPublicHandler(services, appRouter);

const requestTo = (path: string, key: string | undefined = secret): PublicRequest => ({
  method: "GET",
  url: `/api/public/v1${path}`,
  header: (name) => (name === "x-api-key" ? key : undefined),
  async *body() {
    yield Buffer.alloc(0);
  },
  remoteAddress: undefined,
  hasLeft: () => false,
});

const get = (path: string, handle = handlerOf(world.services)) => handle(requestTo(path));

/** Also for a part of a statement whose failure isn't awaited. */
function rejectedWith(failure: Error): Promise<never> {
  const rejected = Promise.reject(failure);
  rejected.catch(() => undefined);
  return rejected;
}

/** Services whose database fails this way, starting with the statement after the one that reads the key. */
function failing(failure: Error): Services {
  let statements = 0;
  const sql = new Proxy(world.services.sql, {
    apply: (target, self, args) =>
      ++statements > 1 ? rejectedWith(failure) : Reflect.apply(target, self, args),
  });
  return { ...world.services, sql };
}

const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";
const MESSAGE = `/messages/${UNKNOWN_ID}`;

describe("an error of ours", () => {
  test("is a constant text, and tells nothing of what went wrong", async () => {
    const answer = await get(MESSAGE, handlerOf(failing(new Error("relation secret_table at 10.0.0.1"))));
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toEqual({
      error: { code: "internal_error", message: "Something went wrong on our side.", resend: "later" },
    });
    expect(answer.headers["X-Request-Id"]).toBeDefined();
  });

  test("is 503 with Retry-After while the database is away, before the key is read and after", async () => {
    const gone = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    const away = new Proxy(world.services.sql, { apply: () => rejectedWith(gone) });
    for (const services of [failing(gone), { ...world.services, sql: away }]) {
      const answer = await get(MESSAGE, handlerOf(services));
      expect(answer.status).toBe(503);
      expect(answer.headers["Retry-After"]).toMatch(/^[1-9]\d*$/);
      expect(answer.body).toContain('"unavailable"');
    }
  });
});

test("wrong keys are logged once a minute for each network and code, and counted each", async () => {
  const [log, metrics] = [pino({ level: "silent" }), createMetrics()];
  const info = vi.spyOn(log, "info");
  const handle = handlerOf({ ...world.services, log, metrics });
  const ask = (remoteAddress: string, key: string) => handle({ ...requestTo("/ping", key), remoteAddress });
  for (let time = 0; time < 3; time++) {
    for (const address of ["192.0.2.1", "2001:db8::1", "2001:db8::2"]) await ask(address, "wrong");
  }
  await ask("192.0.2.1", "");
  expect(info.mock.calls.map(([facts]) => facts)).toMatchObject([
    { errorCode: "invalid_api_key", remoteAddress: "192.0.2.1", suppressed: 0 },
    { errorCode: "invalid_api_key", remoteAddress: "2001:db8::1", suppressed: 0 },
    { errorCode: "api_key_required", remoteAddress: "192.0.2.1", suppressed: 0 },
  ]);
  expect(await metrics.text()).toContain('waypost_public_api_errors_total{code="invalid_api_key"} 9');
});

describe("an answer", () => {
  test("has the status of the method: an unknown conversation is a 404 in the address, and a 422 in a body", async () => {
    const unknown = "01900000-0000-7000-8000-000000000000";
    const read = await get(`/threads/${unknown}`);
    const send = await fetchMount(handlerOf(world.services))(
      new Request("http://localhost/api/public/v1/messages", {
        method: "POST",
        headers: { authorization: `bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify(textTo(unknown)),
      }),
    );
    expect([read.status, read.errorCode]).toEqual([404, "thread_not_found"]);
    expect([send.status, await send.text()]).toEqual([422, expect.stringContaining('"thread_not_found"')]);
  });

  test("of a success has the procedure's own status, the headers of its unit and a request id", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const post = () =>
      fetchMount(handlerOf(world.services))(
        new Request("http://localhost/api/public/v1/messages", {
          method: "POST",
          headers: { authorization: `bearer ${secret}`, "content-type": "application/json" },
          body: JSON.stringify(input),
        }),
      );
    const [created, repeated] = [await post(), await post()];
    expect([created.status, repeated.status]).toEqual([201, 200]);
    expect(created.headers.get("x-ratelimit-remaining")).toBe("59");
    expect(repeated.headers.get("x-ratelimit-remaining")).toBeNull();
    expect(created.headers.get("x-request-id")).not.toBe(repeated.headers.get("x-request-id"));
  });

  test.each([
    ["/ping", 200],
    ["/openapi.json", 200],
    ["/postman.json", 200],
    [MESSAGE, 404],
    ["/nothing", 404],
  ])("to %s is kept by no cache, over both mounts", async (path, status) => {
    const handle = handlerOf(world.services);
    const request = new Request(`http://localhost/api/public/v1${path}`, {
      headers: { "x-api-key": secret },
    });
    const overFetch = await fetchMount(handle)(request);
    expect([overFetch.status, overFetch.headers.get("cache-control")]).toEqual([status, "no-store"]);
    const server = createServer((req, res) => void nodeMount(handle)(req, res));
    const port = await listen(server, 0, "127.0.0.1");
    const overNode = await fetch(`http://127.0.0.1:${port}/api/public/v1${path}`, request);
    await closeServer(server);
    expect([overNode.status, overNode.headers.get("cache-control")]).toEqual([status, "no-store"]);
  });

  test.each(["..", ".", "%2e%2e", ".%2E", "a\\b", "a#b", "\\"])(
    "to the id %s is that of an id that doesn't exist",
    async (id) => {
      const answer = await get(`/messages/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toBe((await get(MESSAGE)).body);
    },
  );

  test.each(["__proto__", "constructor", "toString"])(
    "to a query with %s is a refusal that names it",
    async (name) => {
      const answer = await get(`${MESSAGE}?${name}=1`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "validation_failed", field: name } });
    },
  );

  test.each([
    ['{"client_message_id":"a","__proto__":{"type":"text"}}', "__proto__"],
    ['{"client_message_id":"a","template":{"variables":{"__proto__":"a"}}}', "template.variables.__proto__"],
  ])("to the body %s is a refusal that names %s", async (body, field) => {
    const post = fetchMount(handlerOf(world.services));
    const headers = { "x-api-key": secret, "content-type": "application/json" };
    const answer = await post(
      new Request("http://localhost/api/public/v1/messages", { method: "POST", headers, body }),
    );
    expect(await answer.json()).toMatchObject({ error: { code: "validation_failed", field } });
  });

  test("to a query with a # takes what stands behind it for a part of it", async () => {
    const answer = await get("/messages?limit=1#a");
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "validation_failed", field: "limit" } });
  });

  test.each(["organization_id", "organization_id[]", "organization_id%5B0%5D"])(
    "to a query with %s says that the organization must not be sent",
    async (name) => {
      const answer = await get(`${MESSAGE}?${name}=1`);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "organization_not_allowed" } });
    },
  );

  test("to a query that nothing reads is a refusal that names it, on a POST as on a GET", async () => {
    const post = (query: string) =>
      fetchMount(handlerOf(world.services))(
        new Request(`http://localhost/api/public/v1/messages${query}`, {
          method: "POST",
          headers: { "x-api-key": secret, "content-type": "application/json" },
          body: "{}",
        }),
      );
    const bodies = [await (await post("?preview=1")).text(), (await get(`${MESSAGE}?preview=1`)).body];
    for (const body of bodies) {
      expect(JSON.parse(body)).toMatchObject({ error: { code: "validation_failed", field: "preview" } });
    }
    expect(await (await post("?")).text()).toContain("client_message_id_required");
  });

  test("to a field that the path has already names it, in a query and in a body", async () => {
    const handle = fetchMount(handlerOf(world.services));
    const patch = (contact: string, body: object) =>
      handle(
        new Request(`http://localhost/api/public/v1/contacts/${contact}`, {
          method: "PATCH",
          headers: { "x-api-key": secret, "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
    const answers = [
      [await (await patch(UNKNOWN_ID, { contact_id: UNKNOWN_ID, name: "Ana" })).text(), "contact_id"],
      [(await get(`${MESSAGE}?id=${UNKNOWN_ID}`)).body, "id"],
    ] as const;
    for (const [body, field] of answers) {
      expect(JSON.parse(body)).toMatchObject({ error: { code: "validation_failed", field } });
    }
  });

  test("to an unknown path is 404, and to a wrong method 405 with those that are right, both without a key", async () => {
    secret = "";
    const handle = handlerOf(world.services);
    expect((await get("/nothing", handle)).status).toBe(404);
    const wrong = await get("/uploads", handle);
    expect(wrong.status).toBe(405);
    expect(wrong.headers.Allow).toContain("POST");
    expect((await get("/openapi.json", handle)).status).toBe(200);
    expect((await get("/ping", handle)).status).toBe(401);
  });
});
