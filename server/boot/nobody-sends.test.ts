import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "@/e2e/support/eventually";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { forgetJobs, noteJobs } from "@/server/core/queue/jobs-seen";
import { tellWhenNobodySends } from "./nobody-sends";

let world: TestWorld;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
afterAll(() => world.close());

const WORDS = expect.stringMatching(/^No process runs jobs: .*WAYPOST_ROLE=jobs or all/);

test("that no process runs jobs is told once, when the grace is over", async () => {
  const tell = vi.fn<(line: string) => void>();
  const beganAtMs = performance.now();
  const watched = tellWhenNobodySends(world.services, tell, 700);
  await eventually(() => expect(tell).toHaveBeenCalled());
  expect(performance.now() - beganAtMs).toBeGreaterThan(700);
  await watched.stop();
  expect(tell.mock.calls).toEqual([[WORDS]]);
});

test("one that has seen a process run jobs tells nothing, also when that stops", async () => {
  const [tell, tellLater] = [vi.fn<(line: string) => void>(), vi.fn<(line: string) => void>()];
  await noteJobs(world.services);
  const asked = vi.spyOn(world.services, "sql");
  const watched = tellWhenNobodySends(world.services, tell, 0);
  await eventually(() => expect(asked.mock.settledResults[0]?.type).toBe("fulfilled"));
  asked.mockRestore();
  await forgetJobs(world.services);
  const later = tellWhenNobodySends(world.services, tellLater, 1_000);
  await eventually(() => expect(tellLater).toHaveBeenCalledWith(WORDS));
  expect(tell).not.toHaveBeenCalled();
  await Promise.all([watched.stop(), later.stop()]);
});

test("nothing is told by a process that stops meanwhile", async () => {
  const tell = vi.fn<(line: string) => void>();
  const watched = tellWhenNobodySends(world.services, tell, 0);
  await watched.stop();
  expect(tell).not.toHaveBeenCalled();
});
