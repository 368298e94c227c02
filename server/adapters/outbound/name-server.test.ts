import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createOutboundClient } from "./post";
import { startNameServer } from "./testing-name-server";
import { vetUrl } from "./vet-url";

const PUBLIC = "93.184.216.34";

/** Connections to the server that must never be reached. It listens on every address of this machine. */
let reached = 0;
const canary = createServer((socket) => {
  reached += 1;
  socket.destroy();
});
let port = 0;
let names: Awaited<ReturnType<typeof startNameServer>>;
let count = 0;

beforeAll(async () => {
  names = await startNameServer();
  canary.listen(0);
  await once(canary, "listening");
  const address = canary.address();
  if (address === null || typeof address === "string") throw new Error("The canary listens on no port");
  ({ port } = address);
});
beforeEach(() => names.takeAllQueries());
afterEach(() => {
  vi.restoreAllMocks();
  reached = 0;
});
afterAll(() => {
  names.close();
  canary.close();
});

const newName = () => `host-${count++}.example.org`;
const urlOf = (name: string) => `https://${name}:${port}/hooks`;

/** Checks it like a media URL and like the URL of a new webhook. */
const vet = async (name: string) => (await vetUrl(urlOf(name), { allowedPrivateHosts: new Set() })).kind;

/** Calls it like a webhook. */
async function call(name: string): Promise<unknown> {
  const client = createOutboundClient({ allowedPrivateHosts: new Set(), connectionsPerHostMax: 1 });
  try {
    return await client.post({ url: urlOf(name), headers: {}, body: "{}", timeoutMs: 20_000 });
  } finally {
    await client.close();
  }
}

const FORBIDDEN = { kind: "failed", failure: "forbidden" };

test.each([
  { addresses: ["127.0.0.1"] },
  { addresses: ["10.1.2.3"] },
  { addresses: ["192.168.0.1"] },
  { addresses: ["169.254.169.254"] },
  { addresses: ["0.0.0.0"] },
  { addresses: ["::1"] },
  { addresses: ["fd00::1"] },
  { addresses: ["fe80::1"] },
  { addresses: ["::ffff:127.0.0.1"] },
  { addresses: ["64:ff9b::7f00:1"] },
  { addresses: [PUBLIC, "127.0.0.1"] },
  { addresses: [PUBLIC, "::1"] },
])(
  "a name that its server gives $addresses is refused, when it is named and when it is called",
  async ({ addresses }) => {
    const name = newName();
    names.answer(name, addresses);
    expect(await vet(name)).toBe("forbidden");
    expect(await call(name)).toMatchObject(FORBIDDEN);
    expect(names.asked).toEqual(expect.arrayContaining([`${name} 1`, `${name} 28`]));
    expect(reached).toBe(0);
  },
);

test("a name that is another name for one with a private address is refused", async () => {
  const name = newName();
  names.answer("inside.example.org", ["127.0.0.1"]);
  names.alias(name, "inside.example.org");
  expect(await vet(name)).toBe("forbidden");
  expect(await call(name)).toMatchObject(FORBIDDEN);
  expect(reached).toBe(0);
});

test.each([["127.0.0.1"], ["::1"], ["169.254.169.254"]])(
  "a name whose server answers %s the second time is refused when it is called",
  async (second) => {
    const name = newName();
    names.answer(name, [PUBLIC], [second]);
    expect(await vet(name)).toBe("allowed");
    expect(await call(name)).toMatchObject(FORBIDDEN);
    expect(names.asked.filter((query) => query === `${name} 1`)).toHaveLength(2);
    expect(reached).toBe(0);
  },
);

test("a name without an address fails as a name, not as forbidden", async () => {
  expect(await call(newName())).toMatchObject({ kind: "failed", failure: "dns" });
});
