import { describe, expect, test } from "vitest";
import { alignedRows, type MeasuredCase, type MeasuredRound, reportOf, tableOf } from "./report";

function cpuWith(strangersPart: number | null) {
  return { busyMs: 3000, busyPart: 0.75, split: { node: 1000, postgres: 600, load: 400 }, strangersPart };
}

function round(requestsPerSecond: number, rest: Partial<MeasuredRound> = {}): MeasuredRound {
  return {
    requests: requestsPerSecond * 2,
    requestsPerSecond,
    p50Ms: 10,
    p99Ms: 20,
    wrong: {},
    cpu: cpuWith(0.01),
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
    const blind = round(1000, {
      p50Ms: null,
      cpu: { busyMs: 1, busyPart: 1, split: null, strangersPart: null },
    });
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

describe("a disturbed measurement", () => {
  const facts = [{ name: "peak, MB", value: 300, atMost: 400 }];
  const tableWith = (...strangersParts: readonly (number | null)[]) => {
    const rounds = strangersParts.map((part) => round(2000, { facts, cpu: cpuWith(part) }));
    const one: MeasuredCase = { name: "one", title: "One", goal: { of: "ratio", atLeast: 4 }, rounds };
    return tableOf(reportOf([{ ...base, rounds: [round(500), round(500), round(500)] }, one], 5));
  };

  test("is void by its worst round, says by how much, and judges no goal", () => {
    const table = tableWith(0.01, 0.051, 0.02);
    expect(table).toContain("VOID: One: other processes took 5.1 % of the CPU, more than 5.0 %.");
    expect(table).toContain("≥ 4× void");
    expect(table).toContain("(≤ 400 void)");
    expect(table).not.toMatch(/reached|missed|VOID: Empty/);
  });

  test("is no base for the others' ratios", () => {
    const disturbed = { ...base, rounds: [round(500, { cpu: cpuWith(0.2) })] };
    const goal = { of: "ratio", atLeast: 4 } as const;
    expect(reported({ goal, rounds: [round(2000)] }, [disturbed])).toMatchObject({ ratio: null, goal: null });
  });

  test.each([0.05, null])("counts with %s of the CPU for strangers", (part) => {
    const table = tableWith(part, part, part);
    expect(table).not.toContain("VOID");
    expect(table).toContain("≥ 4× reached");
    expect(table).toContain("(≤ 400 reached)");
  });
});

test("columns stand under one another, text to the left and figures to the right", () => {
  expect(
    alignedRows([
      ["a", "10"],
      ["long", "5", "x"],
    ]),
  ).toEqual(["a     10", "long   5  x"]);
});
