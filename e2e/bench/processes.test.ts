import { expect, test } from "vitest";
import { groupProcesses, parseStat } from "./processes";

const ENDED_FIELDS = "0 ".repeat(37).trim();

test("a process is read from its line, whatever its name holds, with the time of its ended children", () => {
  const line = `71 (a) b (c) S 70 71 71 0 -1 4194560 1 2 3 4 100 20 3 1 20 0 1 0 5 6 7 ${ENDED_FIELDS}\n`;
  expect(parseStat(line)).toEqual([
    { pid: 71, parentPid: 70, name: "a) b (c", cpuMs: 1240, isKernel: false },
  ]);
  expect(parseStat("")).toEqual([]);
});

test("a thread of the kernel is known by its flag", () => {
  const line = `14 (ksoftirqd/0) S 2 0 0 0 -1 69238848 0 0 0 0 0 5 0 0 20 0 1 0 5 0 0 ${ENDED_FIELDS}\n`;
  expect(parseStat(line)).toMatchObject([{ cpuMs: 50, isKernel: true }]);
});

test("each process below the root counts once: as PostgreSQL, as the server it belongs to, or as load", () => {
  const one = (pid: number, parentPid: number, name = "node") => ({
    pid,
    parentPid,
    name,
    cpuMs: 0,
    isKernel: false,
  });
  const processes = [
    one(1, 0, "init"),
    one(2, 1, "postgres"),
    one(10, 1),
    one(11, 10),
    one(12, 10),
    one(13, 12),
    one(14, 12, "postgres"),
    one(15, 14, "postgres"),
    one(20, 1),
  ];
  expect([...groupProcesses(processes, 10, new Set([12]))]).toEqual([
    [10, "load"],
    [11, "load"],
    [12, "node"],
    [13, "node"],
    [14, "postgres"],
    [15, "postgres"],
  ]);
});
