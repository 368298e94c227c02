import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "@/server/platform/config";
import type { Services } from "@/server/core/context";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { recordJobHeartbeat, recordServerRan } from "@/server/core/queue/heartbeats";
import { createReadiness } from "@/server/boot/readiness";
import { createMetrics } from "@/server/adapters/metrics/metrics";
import { openMetricsMount } from "./mount";

let world: TestWorld;
beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
afterAll(() => world.close());

/** The readiness in the `/metrics` response of a process with this configuration. */
async function reported(env: Readonly<Record<string, string>>): Promise<string[]> {
  const { inngest } = readConfig({ NODE_ENV: "test", ...env }, process.cwd());
  const services: Services = {
    ...world.services,
    config: { ...world.services.config, inngest },
    metrics: createMetrics(),
  };
  const mount = await openMetricsMount({
    services,
    readiness: createReadiness(services),
    postgresRestarts: () => 0,
  });
  onTestFinished(mount.stop);
  return (await mount.text()).split("\n").filter((line) => /^waypost_(ready|degraded)/.test(line));
}

test("what /readyz names as degraded is a metric, and an Inngest server's only where one is named", async () => {
  await recordJobHeartbeat(world.services);
  const isInngest = (line: string) => line.includes("inngest");
  const without = await reported({});
  expect(without).toContain("waypost_ready 1");
  expect(without).toContain('waypost_degraded{part="jobs"} 0');
  expect(without.some(isInngest)).toBe(false);

  const env = { INNGEST_DEV: "1" };
  expect(await reported(env)).toEqual(
    expect.arrayContaining(["waypost_ready 1", 'waypost_degraded{part="inngest"} 1']),
  );
  await recordServerRan(world.services);
  expect((await reported(env)).filter(isInngest)).toEqual(['waypost_degraded{part="inngest"} 0']);
});
