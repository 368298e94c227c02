import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServers } from "@/e2e/support/http-servers";
import { wallClock } from "@/server/lib/wall-clock";
import { catalogueEntry } from "@/server/platform/errors";

const servers = createTestServers();
let url: string;

beforeAll(async () => {
  const { port } = await servers.serve();
  url = `http://127.0.0.1:${port}/api/trpc`;
});
afterAll(() => servers.end());

const batchOf = (count: number) =>
  fetch(`${url}/${Array.from({ length: count }, () => "account.me").join(",")}?batch=1&input={}`, {
    headers: { "sec-fetch-site": "same-origin" },
  });
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/account.rename`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
    body,
  });

test("as many procedures as a page asks for are called by one request, and no more", async () => {
  expect(await (await batchOf(30)).json()).toHaveLength(30);
  const refused = await batchOf(31);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { message: "Batch call exceeds maximum size" } });
});

test("a response says by how much the clock of a demo is ahead, once it was moved", async () => {
  const aheadMs = async () => (await batchOf(1)).headers.get("x-clock-ahead-ms");
  expect(await aheadMs()).toBeNull();
  wallClock.setAheadMs(3_600_000);
  try {
    expect(await aheadMs()).toBe("3600000");
  } finally {
    wallClock.setAheadMs(0);
  }
});

test.each<Record<string, string>>([{ "trpc-accept": "application/jsonl" }, { accept: "application/jsonl" }])(
  "who asks for a stream by %j is given one answer, of a length that is told",
  async (headers) => {
    const answer = await fetch(`${url}/account.me?batch=1&input={}`, { headers });
    expect(answer.headers.get("transfer-encoding")).toBeNull();
    expect(answer.headers.get("content-type")).toBe("application/json");
    const text = await answer.text();
    expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject([{ error: { data: { code: "not_signed_in" } } }]);
  },
);

test("a body of which there is too much is refused with the limit that holds here", async () => {
  const answer = await post(JSON.stringify({ name: "x".repeat(256 * 1024) }));
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    error: { code: "payload_too_large", message: "The request's body is larger than 256 KiB." },
  });
});

test("a request from another site is refused, with what to do about it", async () => {
  const answer = await post("{}", { origin: "https://evil.example" });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({
    error: { code: "cross_site_request", remedy: catalogueEntry("cross_site_request").remedy },
  });
});
