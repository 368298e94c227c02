import type { CpuInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { watchCpu } from "./cpu";

function core(user: number, sys: number, idle: number): CpuInfo {
  return { model: "", speed: 0, times: { user, nice: 0, sys, irq: 0, idle } };
}

/** Returns the values of two successive samples. */
function machine<T>(first: T, second: T): () => T {
  const looks = [first, second];
  return () => looks.shift() ?? second;
}

function one(pid: number, parentPid: number, name: string, cpuMs: number) {
  return { pid, parentPid, name, cpuMs, isKernel: false };
}

const NOTHING = { processes: () => null, stolenMs: () => 0, rootPid: 1 };

test("counts what all cores did between the two looks, and nothing of before", () => {
  const cores = machine(
    [core(1000, 500, 9000), core(2000, 0, 9000)],
    [core(1300, 600, 9000), core(2100, 0, 9300)],
  );
  const stop = watchCpu(new Set(), { ...NOTHING, cores });
  expect(stop()).toEqual({ busyMs: 500, busyPart: 500 / 800, split: null, strangersPart: null });
});

test("says whose time it was, that of a process which has ended since included", () => {
  const node = (cpuMs: number) => one(2, 1, "node", cpuMs);
  const bench = one(1, 0, "node", 10);
  const postgres = (pid: number, parentPid: number, cpuMs: number) => one(pid, parentPid, "postgres", cpuMs);
  const processes = machine(
    [bench, node(100), postgres(3, 2, 20), postgres(4, 3, 30)],
    [{ ...bench, cpuMs: 15 }, node(160), postgres(3, 2, 57)],
  );
  const stop = watchCpu(new Set([2]), { ...NOTHING, cores: () => [], processes });
  expect(stop().split).toEqual({ node: 60, postgres: 7, load: 5 });
});

describe("strangers' part", () => {
  const bench = (cpuMs: number) => one(10, 1, "node", cpuMs);
  const kernel = (cpuMs: number, pid = 7) => ({ ...one(pid, 2, "kworker", cpuMs), isKernel: true });
  const partOf = (source: Parameters<typeof watchCpu>[1]) => watchCpu(new Set(), source)().strangersPart;
  const cores = () => machine([core(0, 0, 0)], [core(600, 100, 300)]);

  test("is what nobody known did, whether or not its process is still there", () => {
    const processes = machine([bench(0)], [bench(500), one(20, 1, "tsc", 150)]);
    expect(partOf({ ...NOTHING, cores: cores(), processes, rootPid: 10 })).toBeCloseTo(0.2);
  });

  test("isn't what the kernel's own threads did, though some have ended", () => {
    const processes = machine([bench(0), kernel(40), kernel(5000, 8)], [bench(500), kernel(240)]);
    expect(partOf({ ...NOTHING, cores: cores(), processes, rootPid: 10 })).toBe(0);
  });

  test("includes what the hypervisor gave to others", () => {
    const processes = machine([bench(0)], [bench(700)]);
    const stolenMs = machine(50, 300);
    expect(partOf({ cores: cores(), processes, stolenMs, rootPid: 10 })).toBe(250 / 1250);
  });
});
