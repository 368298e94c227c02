import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "@/server/platform/config";
import { recordLog } from "@/server/adapters/limits/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { readJobHeartbeats, recordServerRan } from "@/server/core/queue/heartbeats";
import { createJobEngine } from "./engine";
import type { StandbyTimes } from "./standby";

let world: TestWorld;
beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
afterAll(() => world.close());

const CHANNEL_ID = "01920000-0000-7000-8000-000000000001";

/** A process with a configured Inngest server, and the events that it sends there. */
function openEngine(runsJobs: boolean, standbyTimes?: StandbyTimes) {
  const env = {
    NODE_ENV: "test",
    INNGEST_BASE_URL: "http://inngest.example",
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: "signkey-test-00112233",
  } as const;
  const sent: { url: string; body: string }[] = [];
  const server = { takesEvents: true };
  const engine = createJobEngine({
    config: readConfig(env, process.cwd()),
    log: world.services.log,
    services: () => world.services,
    runsJobs,
    ownUrl: () => "http://127.0.0.1:3999",
    fetch: async (input, init) => {
      const { url } = new Request(input);
      sent.push({ url, body: JSON.stringify(init?.body ?? null) });
      if (url.includes("/e/") && !server.takesEvents) return Response.json({ error: "no" }, { status: 401 });
      return Response.json({ ok: true, ids: ["1"], status: 200 });
    },
    standbyTimes,
  });
  onTestFinished(() => engine.stop());
  return { engine, sent, server };
}

test("a process that runs jobs registers every function at the address it listens on, once it starts", async () => {
  const { engine, sent } = openEngine(true);
  expect(sent).toEqual([]);
  engine.start();
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  const [registered] = sent;
  expect(registered?.url).toBe("http://inngest.example/fn/register");
  expect(registered?.body).toContain("http://127.0.0.1:3999/api/inngest?fnId=waypost-drain-channel");
});

test("a process that starts has the server look at once for what was left behind", async () => {
  const { engine, sent } = openEngine(true);
  engine.start();
  const events = () => sent.filter(({ url }) => url.endsWith("/e/event-key"));
  await expect.poll(() => events().length).toBe(1);
  expect(events()[0]?.body).toContain("waypost/sweep.due");
});

test("what waited in a process that stood in is sent to the server that is back, which looks at once", async () => {
  const times = { checkEveryMs: 20, probeEveryMs: 300, quietSeconds: 3_600, awaySeconds: 3_600 };
  const { engine, sent, server } = openEngine(true, times);
  server.takesEvents = false;
  engine.start();
  // Only after the process has taken over does it signal itself.
  await expect.poll(() => hasSwept(world)).toBe(true);
  engine.jobs.notifyChannel(CHANNEL_ID, new Date(Date.now() + 3_600_000));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(sent.filter(({ body }) => body.includes(CHANNEL_ID))).toEqual([]);

  server.takesEvents = true;
  sent.length = 0;
  const sweeps = () => sent.filter(({ body }) => body.includes("waypost/sweep.due")).length;
  await expect.poll(sweeps).toBeGreaterThan(0);
  // Probes request a sweep too. From here on there are none.
  times.probeEveryMs = Number.POSITIVE_INFINITY;
  const probes = sweeps();
  const isSignalledAgain = async () => {
    await recordServerRan(world.services);
    return sent.some(({ body }) => body.includes(CHANNEL_ID));
  };
  await expect.poll(isSignalledAgain).toBe(true);
  await expect.poll(sweeps).toBeGreaterThan(probes);
});

async function hasSwept({ services }: TestWorld): Promise<boolean> {
  return (await readJobHeartbeats(services.sql)).sweptSecondsAgo !== null;
}

test("the log of a process whose keys the server doesn't know, and whose address leads elsewhere, says so, each once", async () => {
  const { log, lines } = recordLog();
  const services = { ...world.services, log };
  const env = {
    NODE_ENV: "test",
    INNGEST_BASE_URL: "http://inngest.example/?hunter2",
    INNGEST_EVENT_KEY: "hunter2",
    INNGEST_SIGNING_KEY: "c0ffee",
    INNGEST_SERVE_ORIGIN: "http://waypost.example",
  } as const;
  let asked = 0;
  const engine = createJobEngine({
    config: readConfig(env, process.cwd()),
    log,
    services: () => services,
    runsJobs: true,
    fetch: async (input) => {
      asked += 1;
      const { url } = new Request(input);
      if (url.includes("/e/")) return Response.json({ ids: ["1"], status: 200 });
      if (url.startsWith("http://waypost.example/")) return Response.json({}, { status: 404 });
      return new Response("Authentication failed\n", { status: 401 });
    },
    standbyTimes: { checkEveryMs: 10, probeEveryMs: 20, quietSeconds: 0.1, awaySeconds: 0.6 },
  });
  onTestFinished(() => engine.stop());
  await world.database.sql`delete from installation where name = 'inngest_ran'`;
  engine.start();
  await expect.poll(() => lines().length).toBeGreaterThanOrEqual(3);
  const before = asked;
  await expect.poll(() => asked).toBeGreaterThan(before + 20);
  const address = { level: "warn", calls: "http://waypost.example/api/inngest" };
  const facts = { ...address, server: "http://inngest.example" };
  const reason = "it refuses INNGEST_SIGNING_KEY: 401 Authentication failed";
  const found = "it answers 404";
  const said = lines().toSorted((one, other) => String(one.msg).localeCompare(String(other.msg)));
  expect(said).toMatchObject([
    { ...address, found, see: "INNGEST_SERVE_ORIGIN", msg: expect.stringContaining("another service") },
    { ...facts, reason, msg: expect.stringContaining("can't be registered") },
    { ...facts, found, unregistered: reason, msg: expect.stringContaining("runs no functions") },
  ]);
  expect(said).toHaveLength(3);
  expect(JSON.stringify(said)).not.toMatch(/hunter2|c0ffee/);
});

test("a process that runs no jobs registers nothing, and sends its wake-ups", async () => {
  const { engine, sent } = openEngine(false);
  engine.start();
  engine.jobs.notifyCallbacks(CHANNEL_ID);
  await expect.poll(() => sent.map(({ url }) => url)).toEqual(["http://inngest.example/e/event-key"]);
});

test.each([
  ["unsigned", {}],
  ["wrongly signed", { "x-inngest-signature": `t=${Math.floor(Date.now() / 1000)}&s=00` }],
])("a caller that asks for a registration %s is 401, and nothing is registered", async (_, headers) => {
  const { engine, sent } = openEngine(true);
  const url = "http://127.0.0.1:3999/api/inngest";
  const request = new Request(url, {
    method: "PUT",
    headers: { host: "evil.example", ...headers },
    body: "{}",
  });
  expect((await engine.serve(request)).status).toBe(401);
  expect(sent).toEqual([]);
});
