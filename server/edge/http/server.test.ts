import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ProcessRole } from "@/server/platform/config";
import { createKey } from "@/server/domain/keys/create";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { createPages } from "./pages";
import type { HttpOptions } from "./server";
import { until } from "@/e2e/support/until";
import { answerTo, createTestServers } from "@/e2e/support/http-servers";

const { serve, end } = createTestServers();
afterEach(end);

describe("the server", () => {
  test("answers the public API and callbacks itself, and hands on everything else", async () => {
    const { get } = await serve();
    expect((await get("/api/public/v1/openapi.json")).status).toBe(200);
    expect((await get("/api/upstream/whatsapp/unknown")).status).toBe(404);
    expect(await (await get("/healthz")).json()).toEqual({ ok: true });
    expect(await (await get("/keys")).text()).toBe("next");
    expect(await (await get("/api-keys")).text()).toBe("next");
  });

  test("hands on neither the API in another spelling nor a path that can't be decoded", async () => {
    const { get } = await serve();
    const paths = ["/api/public/v12/x", "/api/public/v1%2fping", "//api/public/v1/ping", "/%E0%A4%A"];
    const codes = await Promise.all(paths.map(async (path) => (await (await get(path)).json()).error.code));
    expect(new Set(codes)).toEqual(new Set(["not_found"]));
  });

  test("takes a target that names the whole address, and no other form", async () => {
    const { port } = await serve();
    const asked = (target: string) =>
      answerTo(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await asked("http://elsewhere.example/healthz?a")).toContain('{"ok":true}');
    expect(await asked("*")).toMatch(/^HTTP\/1\.1 404 [^]*"code":"not_found"/);
  });

  test.each([
    ["what isn't HTTP", "nonsense", 400],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a:1", 405],
  ])("answers the requests before %s first", async (_, last, status) => {
    const { port } = await serve();
    const ping = `GET ${PING} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const answers = await answerTo(port, `${ping}${ping}${last}\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 [0-9]{3}/g)).toEqual([401, 401, status].map((one) => `HTTP/1.1 ${one}`));
  });

  test.each<[ProcessRole, Record<string, number>]>([
    ["api", { "/api/public/v1/openapi.json": 200, "/api/inngest": 404, "/keys": 404, "/healthz": 200 }],
    ["jobs", { "/api/public/v1/openapi.json": 404, "/api/inngest": 200, "/keys": 404, "/healthz": 200 }],
    ["admin", { "/api/public/v1/openapi.json": 404, "/api/inngest": 404, "/keys": 200, "/healthz": 200 }],
  ])("of role %s serves what the role is for", async (role, statuses) => {
    const { get } = await serve({ role });
    const answers = await Promise.all(Object.keys(statuses).map((path) => get(path)));
    expect(answers.map((answer) => answer.status)).toEqual(Object.values(statuses));
  });

  test("is ready when every part works, and says which doesn't", async () => {
    const { get } = await serve({ readiness: async () => ({ parts: { database: false, jobs: true } }) });
    const answer = await get("/readyz");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ ok: false, database: false, jobs: true, degraded: [] });
  });

  test("answers what goes wrong beyond it with the envelope, a constant text and the id that the log has", async () => {
    const { get, services } = await serve({ next: () => Promise.reject(new Error("secret detail")) });
    const logged = vi.spyOn(services.log, "error");
    const answer = await get("/keys");
    const requestId = answer.headers.get("X-Request-Id");
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ requestId }), expect.any(String));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({
      error: { code: "internal_error", message: "Something went wrong on our side." },
    });
  });

  const PING = "/api/public/v1/ping";
  const HEADERS = Array.from({ length: 1_600 }, (_, index) => `X-Filler-${index}: 1\r\n`);
  test.each<[string, string | readonly string[], RegExp]>([
    ["what isn't HTTP", "nonsense\r\n\r\n", /valid HTTP/],
    ["a malformed request line", `GET ${PING} HTTQ/1.1\r\nHost: a\r\n\r\n`, /valid HTTP/],
    ["no Host header", `GET ${PING} HTTP/1.1\r\n\r\n`, /one `Host`/],
    ["two Host headers", `GET ${PING} HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n`, /one `Host`/],
    ["more headers than 16 KiB", [`GET ${PING} HTTP/1.1\r\nHost: a\r\n`, ...HEADERS, "\r\n"], /16 KiB/],
    [
      "an expectation that nobody knows",
      `POST ${PING} HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nContent-Length: 2\r\n\r\n{}`,
      /`Expect`/,
    ],
    [
      "a chunk of no size",
      `POST ${PING} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      /valid HTTP/,
    ],
  ])("answers %s with the envelope, and closes the connection", async (_, text, words) => {
    const { port } = await serve();
    const answer = await answerTo(port, text);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/\r\nConnection: close(\r\n|$)/i);
    expect(head).toMatch(/\r\nX-Request-Id: [\w-]{36}(\r\n|$)/);
    expect(JSON.parse(body)).toMatchObject({
      error: { code: "validation_failed", message: expect.stringMatching(words) },
    });
  });

  const H2C =
    "Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
  const WEBSOCKET = "Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  test.each([
    ["HTTP/2, as Java's client does", H2C],
    ["a websocket", WEBSOCKET],
  ])("answers a request that offers %s as if it didn't, after pages were asked for too", async (_, offer) => {
    const pages = createPages({ appRoot: process.cwd(), dev: false });
    // Without its build, Next responds to no request. Its effect on the server comes first.
    const { port, get } = await serve({ next: pages.getRequestHandler() });
    expect((await get("/keys")).status).toBe(500);
    const answer = await answerTo(port, `GET /healthz HTTP/1.1\r\nHost: a\r\n${offer}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('{"ok":true}');
  });

  test.each(["/api/export/messages", "/api/files/1", "/api/trpc/keys.list", "/api/auth/sign-out"])(
    "refuses a method that no route has: TRACE %s",
    async (path) => {
      const { port } = await serve();
      const answer = await answerTo(port, `TRACE ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toContain('"code":"method_not_allowed"');
    },
  );

  test.each(["/api/export/messages", "/api/files/1", "/api/trpc/none", "/api/auth/none"])(
    "has browsers take the answer of %s for nothing but what it says that it is",
    async (path) => {
      const { get } = await serve();
      expect((await get(path)).headers.get("X-Content-Type-Options")).toBe("nosniff");
    },
  );

  test("gives each page a policy of its own, by which only its own scripts run and no text is run as code", async () => {
    const { get } = await serve();
    const policies = await Promise.all(
      ["/keys", "/keys"].map(async (path) => (await get(path)).headers.get("Content-Security-Policy") ?? ""),
    );
    const scripts = policies.map((policy) => /(?:^|; )script-src ([^;]*)/.exec(policy)?.[1] ?? "");
    const nonces = scripts.map((sources) => /'nonce-([\w+/]{22}==)'/.exec(sources)?.[1]);
    expect(nonces).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(nonces).size).toBe(2);
    for (const policy of policies) expect(policy).not.toContain("unsafe-eval");
  });

  test("is no proxy: CONNECT gets the envelope, and the connection is closed", async () => {
    const { port } = await serve();
    const answer = await answerTo(port, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    expect(answer).toContain('"code":"method_not_allowed"');
  });

  test.each([
    ["another method", "PUT", "01900000-0000-7000-8000-000000000000", 405],
    ["HEAD", "HEAD", "01900000-0000-7000-8000-000000000000", 405],
    ["an address that can't be decoded", "POST", "%E0%A4%A", 404],
  ])("answers a callback with %s", async (_, method, channelId, status) => {
    const { port } = await serve();
    const answer = await fetch(`http://127.0.0.1:${port}/api/upstream/whatsapp/${channelId}`, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("allow")).toBe(status === 405 ? "GET, POST" : null);
  });

  test("lets no header go unseen: the key behind a thousand others counts", async () => {
    const { port, services } = await serve();
    const { secret } = await createKey({
      ctx: await createTestOrganization(services),
      input: { name: "Key" },
    });
    const fillers = Array.from({ length: 1_200 }, () => "F:1\r\n").join("");
    const request = `GET ${PING} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fillers}X-Api-Key: ${secret}\r\n\r\n`;
    expect(await answerTo(port, request)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a client that closes its side after its request", () => {
  test.each([
    ["a read", "GET /api/public/v1/ping HTTP/1.1", "", 200],
    ["a body", "POST /api/public/v1/messages HTTP/1.1\r\nContent-Length: 2", "{}", 400],
    ["a page", "GET /keys HTTP/1.1", "", 200],
  ])("gets its answer to %s", async (_, head, body, status) => {
    const { port, services } = await serve({
      next: async (_req, res) => void setImmediate(() => res.end("next")),
    });
    const ctx = await createTestOrganization(services);
    const { secret } = await createKey({ ctx, input: { name: "Key" } });
    const socket = connect(port, "127.0.0.1");
    socket.end(`${head}\r\nHost: a\r\nX-Api-Key: ${secret}\r\n\r\n${body}`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\n\r\n[^]`));
  });

  test("within its body has asked for nothing: what it began ends", async () => {
    let failure: unknown;
    const next: HttpOptions["next"] = async (req) => {
      for await (const _ of req) continue;
    };
    const { port } = await serve({
      next: (req, res) => next(req, res).catch((error: unknown) => void (failure = error)),
    });
    const socket = connect(port, "127.0.0.1");
    socket.end("GET /keys HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    await until("it has ended", () => failure !== undefined);
    expect(failure).toMatchObject({ code: "ECONNRESET" });
  });
});

test("a page's body that doesn't arrive in time costs the client its connection", async () => {
  const next: HttpOptions["next"] = async (req, res) => {
    for await (const _ of req) continue;
    res.end("next");
  };
  const { port } = await serve({ next, requestTimeoutMs: 100 });
  const call = httpRequest({
    port,
    host: "127.0.0.1",
    method: "GET",
    path: "/keys",
    headers: { "content-length": 9 },
  });
  const cut = once(call, "error");
  call.write("x");
  expect(await cut).toMatchObject([{ code: "ECONNRESET" }]);
});

describe("a client that sends too much", () => {
  async function upload(headers: Record<string, string>, chunkCount: number) {
    const { port, services } = await serve();
    const ctx = await createTestOrganization(services);
    const { secret } = await createKey({ ctx, input: { name: "Key" } });
    const call = httpRequest({
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/api/public/v1/messages",
      headers: { "x-api-key": secret, "content-type": "application/json", ...headers },
    });
    call.flushHeaders();
    for (let sent = 0; sent < chunkCount; sent++) call.write(Buffer.alloc(16 * 1024, "x"));
    const [response] = await once(call, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    call.destroy();
    return { status: response.statusCode, body: Buffer.concat(chunks).toString("utf8") };
  }

  test("and says so gets its answer before it has sent it", async () => {
    const answer = await upload({ "content-length": "10000000" }, 0);
    expect(answer).toMatchObject({ status: 413, body: expect.stringContaining("payload_too_large") });
  });

  test("and reads only when it has sent everything, as Python's urllib does, gets its answer", async () => {
    const { port, services } = await serve();
    const ctx = await createTestOrganization(services);
    const { secret } = await createKey({ ctx, input: { name: "Key" } });
    const socket = connect(port, "127.0.0.1").pause();
    const piece = Buffer.alloc(64 * 1024, "x");
    const pieces = 256;
    socket.write(
      `POST /api/public/v1/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Api-Key: ${secret}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${pieces * piece.length}\r\n\r\n`,
    );
    for (let sent = 0; sent < pieces; sent++) if (!socket.write(piece)) await once(socket, "drain");
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    const answer = Buffer.concat(chunks).toString("utf8");
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*"payload_too_large"/);
  });

  test("in chunks of no declared length gets its answer while it is sending", async () => {
    const answer = await upload({ "transfer-encoding": "chunked" }, 64);
    expect(answer).toMatchObject({ status: 413, body: expect.stringContaining("payload_too_large") });
    // The rest of the body is read and dropped, so that the connection doesn't have to time out.
    const startedAt = performance.now();
    await end();
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });
});
