import { describe, expect, test } from "vitest";
import { alignedRows, type MeasuredCase, type MeasuredRound, reportOf, tableOf } from "./report";

function round(requestsPerSecond: number, rest: Partial<MeasuredRound> = {}): MeasuredRound {
  return {
    requests: requestsPerSecond * 2,
    requestsPerSecond,
    p50Ms: 10,
    p99Ms: 20,
    wrong: {},
    cpu: { busyMs: 3000, busyPart: 0.75, split: { node: 1000, postgres: 600, load: 400 } },
    ...rest,
  };
}

const base: MeasuredCase = { name: "empty-next", title: "Empty", rounds: [round(500)] };

function reported(one: Omit<MeasuredCase, "name" | "title">, others: readonly MeasuredCase[] = []) {
  const { cases } = reportOf([...others, { name: "one", title: "One", ...one }], 2);
  return cases.find(({ name }) => name === "one");
}

describe("a report", () => {
  test("gives the CPU time of one request, and whose it was", () => {
    const one = reported({ rounds: [round(1000)] });
    expect(one?.cpuMsPerRequest).toBe(1.5);
    expect(one?.cpuSplitMsPerRequest).toEqual({ node: 0.5, postgres: 0.3, load: 0.2 });
  });

  test("leaves out what no round could tell", () => {
    const blind = round(1000, { p50Ms: null, cpu: { busyMs: 1, busyPart: 1, split: null } });
    expect(reported({ rounds: [blind] })).toMatchObject({ p50Ms: null, cpuSplitMsPerRequest: null });
  });

  test.each([
    { goal: { of: "ratio", atLeast: 4 }, isReached: true },
    { goal: { of: "ratio", atLeast: 4.1 }, isReached: false },
    { goal: { of: "requestsPerSecond", atLeast: 2001 }, isReached: false },
    { goal: { of: "p50Ms", atMost: 10 }, isReached: true },
    { goal: { of: "p50Ms", atMost: 9 }, isReached: false },
  ] as const)("says of the goal $goal: $isReached", ({ goal, isReached }) => {
    expect(reported({ goal, rounds: [round(2000)] }, [base])?.goal).toEqual({ ...goal, isReached });
  });

  test("says nothing of a goal that is a multiple of what wasn't measured", () => {
    expect(reported({ goal: { of: "ratio", atLeast: 4 }, rounds: [round(2000)] })?.goal).toBeNull();
  });

  test("shows the figures that only one case has, with their bounds", () => {
    const facts = [
      { name: "lag, ms", value: 1.25 },
      { name: "peak, MB", value: 401, atMost: 400 },
    ];
    const table = tableOf(reportOf([{ name: "one", title: "One", rounds: [round(1000, { facts })] }], 2));
    expect(table).toContain("One\n  lag, ms: 1.3\n  peak, MB: 401 (≤ 400 missed)\n");
  });
});

test.each([
  { rounds: 1, seconds: 2, goal: "≥ 4× ?", isTooShort: true },
  { rounds: 3, seconds: 5, goal: "≥ 4× missed", isTooShort: false },
])("$rounds rounds of $seconds s say of a goal: $goal", ({ rounds, seconds, goal, isTooShort }) => {
  const played = Array.from({ length: rounds }, () => round(1000));
  const one: MeasuredCase = { name: "one", title: "One", goal: { of: "ratio", atLeast: 4 }, rounds: played };
  const table = tableOf(reportOf([base, one], seconds));
  expect(table).toContain(goal);
  expect(table.includes("Too short to judge")).toBe(isTooShort);
});

test("columns stand under one another, text to the left and figures to the right", () => {
  expect(
    alignedRows([
      ["a", "10"],
      ["long", "5", "x"],
    ]),
  ).toEqual(["a     10", "long   5  x"]);
});
