import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulatedVerifyToken } from "@/server/domain/channels/connect";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { recordLog } from "@/server/adapters/limits/testing";
import { createMetrics } from "@/server/adapters/metrics/metrics";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { takeCallback } from "./intake";
import { callbackFetchMount, callbackNodeMount } from "./mounts";
import { bytesOf, callback, post, signatureOf, status } from "@/server/domain/callbacks/testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

async function storedBodies(): Promise<string[]> {
  const rows = await world.sql<{ body: Buffer }[]>`select body from upstream_callbacks order by received_at`;
  return rows.map((row) => row.body.toString("utf8"));
}

const take = (channelId: string, request: Parameters<typeof takeCallback>[2]) =>
  takeCallback(world.services, channelId, request);

describe("verification", () => {
  const verify = async (channelId: string, query: Record<string, string>) =>
    take(channelId, {
      method: "GET",
      query: new URLSearchParams(query),
      header: () => null,
      async *body() {
        yield Buffer.alloc(0);
      },
    });
  const asking = (token: string) => ({
    "hub.mode": "subscribe",
    "hub.verify_token": token,
    "hub.challenge": "1158201444",
  });

  test("with the channel's token echoes the challenge", async () => {
    const token = simulatedVerifyToken(world.services.vault, world.channelId);
    expect(await verify(world.channelId, asking(token))).toMatchObject({ status: 200, body: "1158201444" });
  });

  test("is noted at the channel, and a refused one isn't", async () => {
    const ctx = await createTestOrganization(world.services);
    const channelId = await connectTestChannel(ctx);
    const verifiedAt = async () => {
      const [row] = await world.sql`select callback_verified_at as at from channels where id = ${channelId}`;
      return row?.at;
    };
    await verify(channelId, asking("wrong"));
    expect(await verifiedAt()).toBeNull();
    await verify(channelId, asking(simulatedVerifyToken(world.services.vault, channelId)));
    expect(await verifiedAt()).toBeInstanceOf(Date);
  });

  test("with a wrong token, another channel's, another mode or a challenge that is no token is refused", async () => {
    const token = simulatedVerifyToken(world.services.vault, world.channelId);
    const foreign = await createTestOrganization(world.services);
    const foreignChannel = await connectTestChannel(foreign);
    const refused = [
      await verify(world.channelId, asking("wrong")),
      await verify(world.channelId, asking("")),
      await verify(world.channelId, {}),
      await verify(foreignChannel, asking(token)),
      await verify(world.channelId, { ...asking(token), "hub.mode": "unsubscribe" }),
      await verify(world.channelId, { ...asking(token), "hub.challenge": "<script>alert(1)</script>" }),
    ];
    expect(refused.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(new Set(refused.map(({ body }) => JSON.parse(body).error.code))).toEqual(
      new Set(["invalid_verify_token"]),
    );
  });

  test("of an unknown or malformed channel is not found", async () => {
    expect((await verify("01900000-0000-7000-8000-000000000000", asking("x"))).status).toBe(404);
    expect((await verify("'; drop table channels", asking("x"))).status).toBe(404);
  });
});

describe("a callback", () => {
  test("is stored byte for byte before it is answered with 200", async () => {
    const bytes = Buffer.from('{ "entry" : [ ],  "text": "\\u00fc \\/" }');
    expect(await post(world.services, world.channelId, bytes)).toBe(200);
    expect(await storedBodies()).toContain(bytes.toString("utf8"));
  });

  test("is checked by its raw bytes, whatever they mean", async () => {
    const bytes = Buffer.from([0x20, 0xef, 0xbb, 0xbf, 0x7b, 0xff, 0xfe, 0x00, 0x7d, 0x0a]);
    expect(await post(world.services, world.channelId, bytes)).toBe(200);
    const rows = await world.sql<{ body: Buffer }[]>`select body from upstream_callbacks`;
    expect(rows.some((row) => row.body.equals(bytes))).toBe(true);
  });

  test("with one byte changed, a foreign signature or none is refused, and nothing is stored", async () => {
    const bytes = bytesOf(callback("1", { statuses: [status("read", "wamid.forged")] }));
    const changed = Buffer.from(bytes);
    changed[10] = (changed[10] ?? 0) ^ 1;
    const before = await storedBodies();
    const signature = signatureOf(bytes);
    for (const [body, header] of [
      [changed, signature],
      [bytes, signatureOf(bytes, "another secret")],
      [bytes, null],
      [bytes, ""],
      [bytes, signature.slice(0, -2)],
      [bytes, signature.replace("sha256=", "sha1=")],
    ] as const) {
      expect(await post(world.services, world.channelId, body, header)).toBe(401);
    }
    expect(await storedBodies()).toEqual(before);
  });

  test("signed with one channel's secret isn't taken on another's address", async () => {
    const foreign = await createTestOrganization(world.services);
    const foreignChannel = await connectTestChannel(foreign);
    const encrypted = world.services.vault.encrypt("own-secret", `channel-app-secret:${foreignChannel}`);
    await world.sql`update channels set app_secret_encrypted = ${encrypted} where id = ${foreignChannel}`;
    expect(await post(world.services, foreignChannel, bytesOf(callback("1")))).toBe(401);
  });

  test("that can't be stored isn't answered with 200, so that it comes again", async () => {
    const gone = () => Promise.reject(Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" }));
    const bytes = bytesOf(callback("1"));
    let statements = 0;
    const sql = new Proxy(world.services.sql, {
      apply: (target, self, args) => (++statements > 1 ? gone() : Reflect.apply(target, self, args)),
    });
    expect(await post({ ...world.services, sql }, world.channelId, bytes)).toBe(503);
  });

  test("of more than 4 MiB is refused", async () => {
    expect(await post(world.services, world.channelId, Buffer.alloc(4 * 1024 * 1024 + 1))).toBe(413);
  });

  test("that doesn't arrive costs its client the connection", async () => {
    const late = () => Promise.reject(new Error("the client broke off"));
    const answer = await take(world.channelId, {
      method: "POST",
      query: new URLSearchParams(),
      header: () => "sha256=",
      body: () => ({ [Symbol.asyncIterator]: () => ({ next: late }) }),
    });
    expect(answer).toMatchObject({ status: 408, headers: { Connection: "close" } });
  });

  test("for an unknown channel is not found; another method isn't allowed", async () => {
    expect(await post(world.services, "01900000-0000-7000-8000-000000000000", bytesOf({}))).toBe(404);
    const request = new Request("http://localhost/x", { method: "DELETE" });
    const answer = await callbackFetchMount(take)(request, world.channelId);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer.json()).toMatchObject({ error: { code: "method_not_allowed" } });
  });
});

describe("the time of a channel's latest callback", () => {
  const lastOf = async (channelId: string) => {
    const [row] = await world.sql<{ at: Date | null }[]>`
      select last_callback_at as at from channels where id = ${channelId}`;
    return row?.at ?? null;
  };

  test("is that of a signed one, and is written once a minute", async () => {
    const channelId = await connectTestChannel(await createTestOrganization(world.services));
    const bytes = bytesOf(callback("1", { statuses: [status("sent", "wamid.noted")] }));
    await post(world.services, channelId, bytes, "sha256=00");
    expect(await lastOf(channelId)).toBeNull();
    await post(world.services, channelId, bytes);
    const first = await lastOf(channelId);
    expect(first).toBeInstanceOf(Date);
    await post(world.services, channelId, bytes);
    expect(await lastOf(channelId)).toEqual(first);
    await world.sql`update channels set last_callback_at = now() - interval '61 seconds' where id = ${channelId}`;
    await post(world.services, channelId, bytes);
    expect(Date.now() - Number(await lastOf(channelId))).toBeLessThan(30_000);
  });
});

describe("refused callbacks", () => {
  const UNKNOWN = "01900000-0000-7000-8000-000000000000";

  test("make one line a minute of each kind, however many strangers send", async () => {
    const { log, lines } = recordLog();
    const services = { ...world.services, log };
    for (let sent = 0; sent < 20; sent++) {
      await post(services, UNKNOWN, bytesOf({}));
      await post(services, world.channelId, bytesOf({}), signatureOf(bytesOf({}), "another secret"));
    }
    expect(lines().map(({ level, msg, errorCode }) => [level, msg, errorCode])).toEqual([
      ["info", "callback refused", "not_found"],
      ["warn", "a callback with a wrong signature was rejected", undefined],
      ["info", "callback refused", "invalid_signature"],
    ]);
  });

  test("are counted by whose fault it is", async () => {
    const metrics = createMetrics();
    const gone = () => Promise.reject(Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" }));
    const services = { ...world.services, metrics };
    const noDatabase = { ...services, sql: new Proxy(world.services.sql, { apply: gone }) };
    await post(services, UNKNOWN, bytesOf({}));
    await post(services, world.channelId, bytesOf({}), null);
    await post(services, world.channelId, Buffer.alloc(4 * 1024 * 1024 + 1));
    await post(noDatabase, world.channelId, bytesOf({}));
    const text = await metrics.text();
    const counts = [...text.matchAll(/^waypost_callbacks_received_total\{result="(\w+)"\} (\d+)$/gm)];
    expect(Object.fromEntries(counts.map(([, result, count]) => [result, count]))).toEqual({
      stored: "0",
      unsigned: "1",
      unknown_channel: "1",
      unreadable: "1",
      limited: "0",
      failed: "1",
    });
  });
});

describe("both mounts", () => {
  test("take the same callback with the same answer", async () => {
    const bytes = bytesOf(callback("1", { statuses: [status("sent", "wamid.mounts")] }));
    const headers = { "x-hub-signature-256": signatureOf(bytes) };
    const mount = callbackNodeMount(take);
    const server = createServer((req, res) => void mount(req, res, world.channelId, ""));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const call = httpRequest({ port, host: "127.0.0.1", method: "POST", headers });
    call.end(bytes);
    const [response] = await once(call, "response");
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    await once(response, "end");
    server.close();

    const fetched = await callbackFetchMount(take)(
      new Request("http://localhost/x", { method: "POST", headers, body: new Uint8Array(bytes) }),
      world.channelId,
    );
    expect(fetched.status).toBe(200);
    expect((await storedBodies()).filter((body) => body.includes("wamid.mounts"))).toHaveLength(2);
  });
});
