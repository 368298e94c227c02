import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "@/server/config";
import { openTestWorld, type TestWorld } from "@/server/organizations/testing";
import { createJobEngine } from "./engine";

let world: TestWorld;
beforeAll(async () => {
  world = await openTestWorld();
});
afterAll(() => world.close());

/** A process that an Inngest server is named to, with what it sends there. */
function openEngine(runsJobs: boolean) {
  const env = {
    NODE_ENV: "test",
    INNGEST_BASE_URL: "http://inngest.example",
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: "signkey-test-00112233",
  } as const;
  const sent: { url: string; body: string }[] = [];
  const engine = createJobEngine({
    config: readConfig(env, process.cwd()),
    log: world.services.log,
    services: () => world.services,
    runsJobs,
    ownUrl: () => "http://127.0.0.1:3999",
    fetch: async (input, init) => {
      sent.push({ url: new Request(input).url, body: JSON.stringify(init?.body) });
      return Response.json({ ok: true, ids: ["1"], status: 200 });
    },
  });
  onTestFinished(() => engine.stop());
  return { engine, sent };
}

test("a process that runs jobs registers every function at the address it listens on, once it starts", async () => {
  const { engine, sent } = openEngine(true);
  expect(sent).toEqual([]);
  engine.start();
  await expect.poll(() => sent.length, { timeout: 10_000 }).toBeGreaterThan(0);
  const [registered] = sent;
  expect(registered?.url).toBe("http://inngest.example/fn/register");
  expect(registered?.body).toContain("http://127.0.0.1:3999/api/inngest?fnId=waypost-drain-channel");
});

test("a process that runs no jobs registers nothing, and sends its wake-ups", async () => {
  const { engine, sent } = openEngine(false);
  engine.start();
  engine.jobs.wakeCallbacks("01920000-0000-7000-8000-000000000001");
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
