import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createOutboundClient, type OutboundResult } from "./post";
import { everyNameResolvesTo, FORBIDDEN_URLS, forbiddenUrls } from "./testing";
import { vetUrl } from "./vet-url";

/** The server that must never be reached. It listens on every address of this machine, including IPv6 if available. */
const canary = createServer((socket) => {
  reached += 1;
  socket.destroy();
});
let reached = 0;
let port = 0;

/** Counts the connections that a call begins, to any destination. */
const attempts = new AsyncLocalStorage<{ count: number }>();
const watch = createHook({
  init(_, type) {
    const call = attempts.getStore();
    if (call && type === "TCPCONNECTWRAP") call.count += 1;
  },
});

beforeAll(async () => {
  canary.listen(0);
  await once(canary, "listening");
  const address = canary.address();
  if (address === null || typeof address === "string") throw new Error("The canary listens on no port");
  ({ port } = address);
  watch.enable();
});
afterAll(() => {
  watch.disable();
  canary.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  reached = 0;
});

async function post(url: string, allowedPrivateHosts: readonly string[] = []) {
  const client = createOutboundClient({
    allowedPrivateHosts: new Set(allowedPrivateHosts),
    connectionsPerHostMax: 1,
  });
  const call = { count: 0 };
  const result: OutboundResult = await attempts.run(call, () =>
    client.post({ url, headers: {}, body: "{}", timeoutMs: 20_000 }),
  );
  await client.close();
  return { result, attempts: call.count };
}
const FORBIDDEN = {
  result: { kind: "failed", failure: "forbidden", durationMs: expect.any(Number) },
  attempts: 0,
};
const vet = async (url: string) => (await vetUrl(url, { allowedPrivateHosts: new Set() })).kind;

test("what is allowed is connected to, and noticed", async () => {
  const { result, attempts } = await post(`http://localhost:${port}/`, [`localhost:${port}`]);
  expect(result).toMatchObject({ kind: "failed", failure: "reset" });
  expect(attempts).toBeGreaterThan(0);
  expect(reached).toBeGreaterThan(0);
});

test.each(FORBIDDEN_URLS.map((entry, index) => ({ ...entry, index })))(
  "$form is refused, both before and when it is called: $url",
  async ({ url, resolvesTo, index }) => {
    if (resolvesTo) everyNameResolvesTo(...resolvesTo);
    // The same one with the canary's port.
    for (const candidate of [url, forbiddenUrls(port)[index]?.url ?? ""]) {
      expect(await vet(candidate)).toBe("forbidden");
      expect(await post(candidate)).toEqual(FORBIDDEN);
    }
    expect(reached).toBe(0);
  },
);

test("a name that is public at first, and another address later, is refused when it is called", async () => {
  const url = `https://rebound.example:${port}/`;
  everyNameResolvesTo("8.8.8.8");
  expect(await vet(url)).toBe("allowed");
  for (const later of [["127.0.0.1"], ["::1"], ["8.8.8.8", "127.0.0.1"]]) {
    everyNameResolvesTo(...later);
    expect(await post(url)).toEqual(FORBIDDEN);
  }
  expect(reached).toBe(0);
});
