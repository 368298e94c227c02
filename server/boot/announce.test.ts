import { afterAll, beforeAll, expect, test } from "vitest";
import type { Services } from "@/server/core/context";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { reportToSimulator } from "./announce";
import { answerJson } from "@/server/adapters/whatsapp/testing";

let world: TestWorld;
let simulator: Loopback;
let bodies: string[];
let status: number;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  bodies = [];
  status = 200;
  simulator = await serveOnLoopback((req, res) => {
    let body = "";
    req.on("data", (chunk: Buffer) => (body += chunk.toString()));
    req.on("end", () => {
      bodies.push(body);
      answerJson(res, status, {});
    });
  });
});
afterAll(async () => {
  await simulator.close();
  await world.close();
});

/** A process that has a simulator's address and its own public address. */
function given(url: string | null, role: "all" | "jobs" = "all"): Services {
  const { config } = world.services;
  return {
    ...world.services,
    config: { ...config, role, publicUrl: "https://way.example", simulator: { ...config.simulator, url } },
  };
}

const report = (services: Services, simulatorUrl: string) =>
  reportToSimulator({ services, simulatorUrl, baseUrl: "http://127.0.0.1:1" });

const NOBODY = "http://127.0.0.1:1";

test("a simulator that wasn't called is only expected where it was said to be; one of ours runs", async () => {
  expect(await report(given(NOBODY), NOBODY)).toBe(`WhatsApp simulator is expected at ${NOBODY}`);
  expect(await report(given(null), NOBODY)).toBe(`WhatsApp simulator runs at ${NOBODY}`);
});

test("with channels to tell of, it runs if it answers; if it doesn't, the operator reads so and what to do", async () => {
  const channelId = await connectTestChannel(await createTestOrganization(world.services));
  expect(await report(given(simulator.url), simulator.url)).toBe(
    `WhatsApp simulator runs at ${simulator.url}`,
  );
  expect(bodies.join()).toContain(`https://way.example/api/upstream/whatsapp/${channelId}`);
  expect(await report(given(NOBODY), NOBODY)).toMatch(
    /^The simulator at http:\/\/127\.0\.0\.1:1 doesn't respond\. .*WAYPOST_SIMULATOR_URL, and start Waypost again\.$/,
  );
  status = 500;
  const refused = await report(given(simulator.url), simulator.url);
  expect(refused).toMatch(/responded with 500: .*Simulated channels send nothing/);
  expect(refused).not.toContain("test-access-token");
  const calls = bodies.length;
  await report(given(simulator.url, "jobs"), simulator.url);
  expect(bodies).toHaveLength(calls);
});
