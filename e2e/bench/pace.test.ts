import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { sendPaced } from "./pace";

/** As many as the generator has connections. */
const HELD = 32;
const MESSAGES = 60;
const PER_SECOND = 500;
const SECONDS = MESSAGES / PER_SECOND;

let url = "";
const held: (() => void)[] = [];
let isStalled = true;
const paths = new Set<string | undefined>();

const server = createServer((request, response) => {
  paths.add(request.url);
  request.resume();
  const answer = () => {
    response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
    response.end('{"message_id":"one"}');
  };
  if (isStalled) held.push(answer);
  else answer();
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port");
  url = `http://127.0.0.1:${address.port}/messages`;
});
afterAll(() => void server.close());

test("a server that stalls for the whole schedule delays, drops and excuses no request", async () => {
  const startedAtMs = performance.now();
  const sending = sendPaced({
    url,
    headers: {},
    handles: ["1"],
    messagesPerSecond: PER_SECOND,
    seconds: SECONDS,
    reads: { messageIds: ["a", "b"], perSecond: PER_SECOND },
  });
  await until("every connection waits, and the schedule is over", () => {
    return held.length === HELD && performance.now() > startedAtMs + 2 * SECONDS * 1000;
  });
  isStalled = false;
  const releasedAtMs = performance.timeOrigin + performance.now();
  for (const answer of held) answer();
  const { accepted, read, wrong } = await sending;
  expect(wrong).toEqual({});
  expect(paths).toEqual(new Set(["/messages", "/messages/a", "/messages/b"]));
  for (const requests of [accepted, read]) {
    const due = requests.map(({ dueAtMs }) => dueAtMs).sort((a, b) => a - b);
    expect(due).toHaveLength(MESSAGES);
    const firstMs = due[0] ?? NaN;
    for (const [index, atMs] of due.entries())
      expect(atMs - firstMs).toBeCloseTo((1000 * index) / PER_SECOND);
    for (const { dueAtMs, sentAtMs, answeredAtMs } of requests) {
      expect(sentAtMs).toBeGreaterThanOrEqual(dueAtMs);
      expect(answeredAtMs).toBeGreaterThanOrEqual(releasedAtMs);
    }
  }
});
