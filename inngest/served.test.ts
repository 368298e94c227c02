import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { Inngest } from "inngest";
import { serve } from "inngest/edge";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fetchNodeMount } from "@/server/edge/http/fetch-mount";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import { servedToInngest } from "./served";

const KEY = "signkey-test-00112233445566778899aabbccddeeff";
const OLD_KEY = "signkey-test-ffeeddccbbaa99887766554433221100";
const MEBIBYTE = 1024 * 1024;

let server: Loopback;
let ran = 0;
let registrations: string[] = [];

beforeAll(async () => {
  const quiet = () => undefined;
  const client = new Inngest({
    id: "waypost",
    isDev: false,
    baseUrl: "http://inngest.example",
    eventKey: "event-key",
    signingKey: KEY,
    signingKeyFallback: OLD_KEY,
    logger: { info: quiet, warn: quiet, error: quiet, debug: quiet },
    fetch: async (_, init) => {
      registrations.push(JSON.stringify(init?.body));
      return Response.json({ ok: true, status: 200 });
    },
  });
  const fn = client.createFunction(
    { id: "work", triggers: [{ event: "test/work" }], retries: 0, checkpointing: false },
    async ({ step }) => step.run("work", () => "worked"),
  );
  const handler = serve({
    client,
    functions: [fn],
    serveOrigin: "http://waypost.example",
    servePath: "/api/inngest",
    enableUnauthedSync: false,
  });
  const served = servedToInngest({ handler, isSigned: true, ran: () => (ran += 1) });
  const mount = fetchNodeMount(served);
  server = await serveOnLoopback((req, res) => void mount(req, res));
});
afterAll(() => server.close());
beforeEach(() => {
  ran = 0;
  registrations = [];
});

const EVENT = { name: "test/work", data: {}, ts: 1 };
/** Its keys are sorted, because the signature covers canonical JSON. */
const CALL = JSON.stringify({
  ctx: {
    attempt: 0,
    disable_immediate_execution: false,
    max_attempts: 1,
    run_id: "run",
    stack: { current: 0, stack: [] },
    use_api: false,
  },
  event: { data: {}, name: EVENT.name, ts: 1 },
  events: [{ data: {}, name: EVENT.name, ts: 1 }],
  steps: {},
  version: 2,
});

const nowSeconds = () => Math.floor(Date.now() / 1000);

function signatureOf(body: string, key = KEY, at = nowSeconds()): string {
  const secret = key.replace(/^signkey-\w+-/, "");
  return `t=${at}&s=${createHmac("sha256", secret).update(body).update(String(at)).digest("hex")}`;
}

function call(options: { method?: string; body?: string; signature?: string | undefined }) {
  const { method = "POST", body = CALL, signature } = options;
  return fetch(`${server.url}/api/inngest?fnId=waypost-work&stepId=step`, {
    method,
    ...(method === "GET" ? {} : { body }),
    headers: {
      "Content-Type": "application/json",
      ...(signature === undefined ? {} : { "x-inngest-signature": signature }),
    },
  });
}

describe("a call of /api/inngest", () => {
  test("that is signed with either key runs the function, and the answer is signed", async () => {
    for (const [key, ageSeconds] of [
      [KEY, 1],
      [OLD_KEY, 0],
    ] as const) {
      const answer = await call({ signature: signatureOf(CALL, key, nowSeconds() - ageSeconds) });
      expect(answer.status).toBe(206);
      expect(answer.headers.get("x-inngest-signature")).toMatch(/^t=\d+&s=[0-9a-f]{64}$/);
      expect(await answer.text()).toContain("worked");
    }
    expect(ran).toBe(2);
  });

  test("that is made again, or was signed before one that came, doesn't count as a sign of the server", async () => {
    const signature = signatureOf(CALL, KEY, nowSeconds() + 10);
    expect((await call({ signature })).status).toBe(206);
    expect((await call({ signature })).status).toBe(206);
    expect((await call({ signature: signatureOf(CALL) })).status).toBe(206);
    expect(ran).toBe(1);
  });

  test.each([
    ["isn't signed", { signature: undefined }],
    ["isn't signed, and would be refused if it were read", { signature: undefined, body: "{" }],
    ["is signed with another key", { signature: signatureOf(CALL, "signkey-test-00") }],
    ["is signed for another body", { signature: signatureOf(`${CALL} `) }],
    ["was signed ten minutes ago", { signature: signatureOf(CALL, KEY, nowSeconds() - 600) }],
    ["has a signature that isn't one", { signature: "x" }],
    ["would register, and isn't signed", { method: "PUT" }],
    ["would register, and is signed wrongly", { method: "PUT", signature: "t=1&s=00" }],
    ["looks, and isn't signed", { method: "GET" }],
  ])("that %s is 401, runs nothing and registers nothing", async (_, options) => {
    const answer = await call(options);
    expect(answer.status).toBe(401);
    expect(Object.keys(await answer.json())).toEqual(["message"]);
    expect([...answer.headers.keys()].join()).not.toContain("x-inngest-signature");
    expect({ ran, registrations }).toEqual({ ran: 0, registrations: [] });
  });

  test.each([
    ["isn't JSON", "{", 400],
    ["is larger than half a mebibyte", `"${"x".repeat(MEBIBYTE)}"`, 413],
  ])("whose body %s is refused without a word of why", async (_, body, status) => {
    const answer = await call({ body, signature: "t=1&s=00" });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ message: "Refused" });
  });

  test("whose Host is another one registers no address of it", async () => {
    const body = JSON.stringify({});
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: "evil.example", "x-inngest-signature": signatureOf(body) };
      const req = httpRequest(`${server.url}/api/inngest`, { method: "PUT", headers }, (res) => {
        res.resume().once("end", () => resolve(res.statusCode));
      });
      req.once("error", reject).end(body);
    });
    expect(status).toBe(200);
    expect(registrations).toEqual([expect.stringContaining("http://waypost.example/api/inngest")]);
    expect(registrations.join()).not.toContain("evil.example");
  });
});
