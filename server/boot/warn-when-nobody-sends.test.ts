import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "@/e2e/support/eventually";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { removeJobHeartbeat, recordJobHeartbeat } from "@/server/core/queue/heartbeats";
import { warnWhenNobodySends } from "./warn-when-nobody-sends";

let world: TestWorld;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
afterAll(() => world.close());

const WORDS = expect.stringMatching(/^No process runs jobs: .*WAYPOST_ROLE=jobs or all/);

test("that no process runs jobs is told once, when the grace is over", async () => {
  const warn = vi.fn<(line: string) => void>();
  const beganAtMs = performance.now();
  const watched = warnWhenNobodySends(world.services, warn, 700);
  await eventually(() => expect(warn).toHaveBeenCalled());
  expect(performance.now() - beganAtMs).toBeGreaterThan(700);
  await watched.stop();
  expect(warn.mock.calls).toEqual([[WORDS]]);
});

test("one that has seen a process run jobs tells nothing, also when that stops", async () => {
  const [warn, warnLater] = [vi.fn<(line: string) => void>(), vi.fn<(line: string) => void>()];
  await recordJobHeartbeat(world.services);
  const asked = vi.spyOn(world.services, "sql");
  const watched = warnWhenNobodySends(world.services, warn, 0);
  await eventually(() => expect(asked.mock.settledResults[0]?.type).toBe("fulfilled"));
  asked.mockRestore();
  await removeJobHeartbeat(world.services);
  const later = warnWhenNobodySends(world.services, warnLater, 1_000);
  await eventually(() => expect(warnLater).toHaveBeenCalledWith(WORDS));
  expect(warn).not.toHaveBeenCalled();
  await Promise.all([watched.stop(), later.stop()]);
});

test("nothing is told by a process that stops meanwhile", async () => {
  const warn = vi.fn<(line: string) => void>();
  const watched = warnWhenNobodySends(world.services, warn, 0);
  await watched.stop();
  expect(warn).not.toHaveBeenCalled();
});
