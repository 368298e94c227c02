import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serveOnLoopback } from "@/server/edge/http/testing";
import { createWhatsAppClient, type WhatsAppClient } from "./client";
import { accepting, graphError, resetting, silent, startTestUpstream, type TestUpstream } from "./testing";
import { serveCuts, serveTls } from "./testing-tls";

const TIMEOUT_MS = 250;
const TOKEN = "EAAG-secret-token";

let upstream: TestUpstream;
let client: WhatsAppClient;
/** For calls that don't end by themselves. */
let hasty: WhatsAppClient;

beforeAll(async () => {
  upstream = await startTestUpstream();
  client = createWhatsAppClient({ connectionsMax: 8 });
  hasty = createWhatsAppClient({ connectionsMax: 8, timeoutMs: TIMEOUT_MS });
});
beforeEach(() => upstream.behave(accepting));
afterAll(async () => {
  await client.close();
  await hasty.close();
  await upstream.close();
});

const send = (baseUrl = upstream.url, accessToken = TOKEN, through = client) =>
  through.send({
    baseUrl,
    phoneNumberId: "1234567890",
    accessToken,
    to: "4915112345678",
    message: { type: "text", body: "Grüße 🙂" },
    quotedId: null,
    callbackData: "our-message-id",
  });
const sendInHaste = () => send(undefined, undefined, hasty);

test("a text goes out as Meta documents it, with the token in the header and our id for the callbacks", async () => {
  expect(await send()).toMatchObject({ kind: "accepted", upstreamId: "wamid.our-message-id" });
  expect(upstream.calls.at(-1)).toEqual({
    path: expect.stringMatching(/^\/v\d+\.0\/1234567890\/messages$/),
    authorization: `Bearer ${TOKEN}`,
    to: "4915112345678",
    text: "Grüße 🙂",
    messageId: "our-message-id",
    body: expect.objectContaining({ messaging_product: "whatsapp", type: "text" }),
  });
});

describe("certainly not sent, so tried again", () => {
  test("a connection that is refused", async () => {
    const gone = await serveOnLoopback(() => undefined);
    await gone.close();
    expect(await send(gone.url)).toMatchObject({
      kind: "retry",
      detail: { httpStatus: null, reason: "no connection (ECONNREFUSED)" },
    });
  });

  test("a name that doesn't resolve", async () => {
    expect(await send("http://upstream.invalid")).toMatchObject({ kind: "retry" });
  });

  test("a port that doesn't speak TLS", async () => {
    const url = upstream.url.replace("http:", "https:");
    expect(await send(url)).toMatchObject({
      kind: "retry",
      detail: { reason: expect.stringMatching(/^the TLS connection failed \((ERR_SSL_|EPROTO)/) },
    });
  });

  test("a certificate that nobody vouches for", async () => {
    const impostor = await serveTls();
    expect(await send(impostor.url)).toMatchObject({
      kind: "retry",
      detail: { reason: expect.stringContaining("SELF_SIGNED") },
    });
    expect(impostor.requests()).toBe(0);
    await impostor.close();
  });

  test("a connection that is cut before the TLS handshake is over", async () => {
    const cutting = await serveCuts();
    expect(await send(cutting.url)).toMatchObject({
      kind: "retry",
      detail: { reason: "the connection was closed before the response was complete (ECONNRESET)" },
    });
    await cutting.close();
  });

  test("a token that no header can hold", async () => {
    expect(await send(upstream.url, "secret\nwith a line break")).toMatchObject({ kind: "retry" });
  });

  test("429, with a Graph error and without", async () => {
    upstream.behave(graphError(130429, 429));
    expect(await send()).toMatchObject({ kind: "retry", detail: { upstreamCode: 130429 } });
    upstream.behave((res) => res.writeHead(429).end("slow down"));
    expect(await send()).toMatchObject({ kind: "retry", detail: { upstreamCode: null } });
  });
});

describe("in doubt, so never sent again", () => {
  test("a connection that is reset after the request", async () => {
    upstream.behave(resetting);
    expect(await send()).toMatchObject({ kind: "uncertain" });
  });

  test("a connection that is closed in the middle of the answer", async () => {
    upstream.behave((res) => {
      res.writeHead(200, { "content-length": "100" });
      res.write('{"messages":[{"id":"wamid.half', () => res.destroy());
    });
    expect(await send()).toMatchObject({ kind: "uncertain" });
  });

  test("no answer within the time limit", async () => {
    upstream.behave(silent);
    expect(await sendInHaste()).toMatchObject({
      kind: "uncertain",
      detail: { reason: "no response in time" },
    });
  });

  test("an answer whose body stalls: the limit is for the whole call", async () => {
    upstream.behave((res) => {
      res.writeHead(200, { "content-type": "application/json" });
      res.write('{"messages":');
    });
    expect(await sendInHaste()).toMatchObject({ kind: "uncertain" });
  });

  test("an answer without end, of which no more than its cap is read", async () => {
    let written = 0;
    upstream.behave((res) => {
      res.writeHead(200);
      const chunk = Buffer.alloc(16 * 1024, "x");
      const write = () => {
        while (!res.destroyed && written < 64 * 1024 * 1024) {
          written += chunk.byteLength;
          if (!res.write(chunk)) return void res.once("drain", write);
        }
      };
      write();
    });
    const outcome = await send();
    expect(outcome.kind).toBe("uncertain");
    expect(outcome.detail.reason).not.toBe("no response in time");
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test.each([
    ["a 200 without an id", 200, "{}"],
    ["a page of HTML with 500", 500, "<html>error</html>"],
    ["what isn't JSON at all", 200, "\u0000\u0001"],
  ])("%s", async (_, status, body) => {
    upstream.behave((res) => res.writeHead(status).end(body));
    expect(await send()).toMatchObject({ kind: "uncertain", detail: { httpStatus: status } });
  });
});

test("a redirect isn't followed: the token goes nowhere else", async () => {
  const before = upstream.calls.length;
  upstream.behave((res) => res.writeHead(307, { location: `${upstream.url}/elsewhere` }).end());
  expect(await send()).toMatchObject({ kind: "uncertain", detail: { httpStatus: 307 } });
  expect(upstream.calls).toHaveLength(before + 1);
});

test("no outcome holds the token, not even where the upstream or a token that can't be sent shows it", async () => {
  upstream.behave((res) => {
    res.writeHead(400);
    res.end(JSON.stringify({ error: { code: 100, message: "Invalid parameter" } }));
  });
  const outcomes = [await send()];
  upstream.behave(resetting);
  outcomes.push(await send());
  outcomes.push(await send("http://upstream.invalid"));
  outcomes.push(await send(upstream.url, "secret\nwith a line break"));
  expect(JSON.stringify(outcomes)).not.toMatch(/secret/);
});
