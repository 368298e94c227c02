import { inject, expect, test } from "vitest";
import { readConfig } from "@/server/platform/config";
import { openTestWorld, TEST_SECRET } from "@/server/domain/organizations/testing";
import { NO_JOBS } from "./jobs";
import { openServices } from "./services";

test("each state of a stopping process implies the ones before it", async () => {
  const { database, services: other } = await openTestWorld();
  const env = { NODE_ENV: "test", WAYPOST_DATA_DIR: inject("testRunDirectory") } as const;
  const { services, leave, stopClaiming, close } = await openServices({
    config: readConfig(env, process.cwd()),
    address: database.connection,
    secret: TEST_SECRET,
    log: other.log,
    jobs: NO_JOBS,
    pools: { name: "lifecycle", sql: 1, orm: 1, limits: 1 },
    simulatorUrl: () => null,
  });
  const { isLeaving, isStopping, stopSignal, isClosed } = services.lifecycle;
  const states = () => [isLeaving(), isStopping(), stopSignal.aborted, isClosed()];
  expect(states()).toEqual([false, false, false, false]);
  leave();
  expect(states()).toEqual([true, false, false, false]);
  stopClaiming();
  expect(states()).toEqual([true, true, true, false]);
  await close();
  expect(states()).toEqual([true, true, true, true]);
});
