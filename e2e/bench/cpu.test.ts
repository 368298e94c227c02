import type { CpuInfo } from "node:os";
import { expect, test } from "vitest";
import { watchCpu } from "./cpu";

function core(user: number, sys: number, idle: number): CpuInfo {
  return { model: "", speed: 0, times: { user, nice: 0, sys, irq: 0, idle } };
}

/** Returns the values of two successive samples. */
function machine<T>(first: T, second: T): () => T {
  const looks = [first, second];
  return () => looks.shift() ?? second;
}

test("counts what all cores did between the two looks, and nothing of before", () => {
  const cores = machine(
    [core(1000, 500, 9000), core(2000, 0, 9000)],
    [core(1300, 600, 9000), core(2100, 0, 9300)],
  );
  const stop = watchCpu(new Set(), { cores, processes: () => null, rootPid: 1 });
  expect(stop()).toEqual({ busyMs: 500, busyPart: 500 / 800, split: null });
});

test("says whose time it was, that of a process which has ended since included", () => {
  const node = (cpuMs: number) => ({ pid: 2, parentPid: 1, name: "node", cpuMs });
  const bench = { pid: 1, parentPid: 0, name: "node", cpuMs: 10 };
  const postgres = (pid: number, parentPid: number, cpuMs: number) => ({
    pid,
    parentPid,
    name: "postgres",
    cpuMs,
  });
  const processes = machine(
    [bench, node(100), postgres(3, 2, 20), postgres(4, 3, 30)],
    [{ ...bench, cpuMs: 15 }, node(160), postgres(3, 2, 57)],
  );
  const stop = watchCpu(new Set([2]), { cores: () => [], processes, rootPid: 1 });
  expect(stop().split).toEqual({ node: 60, postgres: 7, load: 5 });
});
