import type { CpuInfo } from "node:os";
import { expect, test } from "vitest";
import { watchCpu } from "./cpu";

function core(user: number, sys: number, idle: number): CpuInfo {
  return { model: "", speed: 0, times: { user, nice: 0, sys, irq: 0, idle } };
}

test("counts what all cores did between the two looks, and nothing of before", () => {
  const looks = [
    [core(1000, 500, 9000), core(2000, 0, 9000)],
    [core(1300, 600, 9000), core(2100, 0, 9300)],
  ];
  const stop = watchCpu(() => looks.shift() ?? []);
  expect(stop()).toEqual({ busyMs: 500, busyPart: 500 / 800 });
});
