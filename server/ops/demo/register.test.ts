import type { RequestListener } from "node:http";
import { pipeline, Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { registerWithSimulator, SimulatorRefused } from "@/server/ops/demo/register";
import { hashVerifyToken } from "@/server/domain/channels/connect";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";

let world: TestWorld;
let server: Loopback | null = null;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
afterAll(() => world.close());
afterEach(() => server?.close());

function* endless() {
  for (;;) yield "x".repeat(65_536);
}

async function listen(listener: RequestListener): Promise<string> {
  server = await serveOnLoopback(listener);
  return server.url;
}

interface Registered {
  phone_number_id: string;
  access_token: string;
  callback_url: string;
  verify_token: string;
}

/** A simulator that only records its requests. */
async function listenAndNote(): Promise<{ url: string; calls: Registered[][] }> {
  const calls: Registered[][] = [];
  const url = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      calls.push(JSON.parse(Buffer.concat(chunks).toString()).numbers);
      response.end("{}");
    });
  });
  return { url, calls };
}

const register = (simulatorUrl: string, more: object = {}) =>
  registerWithSimulator({
    services: world.services,
    simulatorUrl,
    baseUrl: "http://localhost:3000",
    ...more,
  });

describe("registerWithSimulator", () => {
  test("tells credentials, callback address and a verify token that the channel's hash knows", async () => {
    const ctx = await createTestOrganization(world.services);
    const channelId = await connectTestChannel(ctx);
    const { url, calls } = await listenAndNote();
    expect(await register(url, { organizationId: ctx.actor.organizationId })).toBe(1);
    const [row] = await world.database.sql`select * from channels where id = ${channelId}`;
    expect(calls).toEqual([
      [
        {
          phone_number_id: row?.phone_number_id,
          waba_id: "1",
          display_phone_number: "+1 555 0100",
          access_token: "test-access-token",
          app_secret: "test-app-secret",
          callback_url: `http://localhost:3000/api/upstream/whatsapp/${channelId}`,
          verify_token: expect.any(String),
        },
      ],
    ]);
    expect(hashVerifyToken(calls[0]?.[0]?.verify_token ?? "")).toBe(row?.verify_token_hash);
  });

  test("tells all organizations' channels in batches of 500, each once, and never one of Meta's", async () => {
    const ctx = await createTestOrganization(world.services);
    const first = await connectTestChannel(ctx);
    await world.database.sql`
      insert into channels (id, organization_id, name, upstream, phone_number_id, waba_id, display_phone_number,
                            access_token_encrypted, app_secret_encrypted, verify_token_hash)
      select gen_random_uuid(), ${ctx.actor.organizationId}, 'Meta', 'meta', n, '1', '+15550100', '', '', ''
      from generate_series(1, 3) as n`;
    for (let i = 0; i < 501; i += 1) await connectTestChannel(ctx);
    const { url, calls } = await listenAndNote();
    const reported = await register(url);
    const ids = calls.flat().map((number) => number.callback_url);
    expect(reported).toBe(ids.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(502);
    expect(ids).toContain(`http://localhost:3000/api/upstream/whatsapp/${first}`);
    expect(Math.max(...calls.map((call) => call.length))).toBe(500);
  });

  test.each<[string, RequestListener, RegExp]>([
    [
      "refuses",
      (_, response) => response.writeHead(400).end('{"error":{"message":"no"}}'),
      /responded with 400: .*no/,
    ],
    [
      "redirects",
      (_, response) => response.writeHead(307, { location: "http://127.0.0.1:1" }).end(),
      /responded with 307/,
    ],
    ["hangs up", (request) => request.socket.destroy(), /doesn't respond/],
    ["never answers", () => undefined, /doesn't respond/],
    [
      "stops in the middle of its answer",
      (_, response) => response.writeHead(200).write("{"),
      /doesn't respond/,
    ],
  ])("a simulator that %s is reported, without secrets", async (_, listener, message) => {
    const ctx = await createTestOrganization(world.services);
    await connectTestChannel(ctx);
    const url = await listen(listener);
    const registration = register(url, { organizationId: ctx.actor.organizationId, timeoutMs: 300 });
    const error: unknown = await registration.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SimulatorRefused);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toMatch(/test-(access-token|app-secret)/);
  });

  test("an endless answer is not read to its end", async () => {
    const ctx = await createTestOrganization(world.services);
    await connectTestChannel(ctx);
    const url = await listen((_, response) => {
      response.writeHead(500);
      pipeline(Readable.from(endless()), response, () => undefined);
    });
    const registration = register(url, { organizationId: ctx.actor.organizationId });
    await expect(registration).rejects.toThrow(/responded with 500: x{200}$/);
  });
});
