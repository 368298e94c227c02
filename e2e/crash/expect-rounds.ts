import { expect } from "vitest";
import type { RoundPlan } from "./kinds";
import { tableOf, wordsOf } from "./report";
import { runRounds } from "./rounds";

/** Plays the rounds, and expects that nothing was broken in them, and that enough went wrong for that to say something. */
export async function expectRoundsKept(
  plans: readonly Omit<RoundPlan, "ordinaryCustomers">[],
  ordinaryCustomers: number,
): Promise<void> {
  const rounds = plans.map((plan) => ({ ...plan, ordinaryCustomers }));
  const report = await runRounds({ rounds, isEachSettled: false, told: () => undefined });

  console.log(`${tableOf(report.rounds)}\n${wordsOf(report.webhooks)}`);
  expect(report.rounds.map(({ round, problems }) => ({ round, problems }))).toEqual(
    plans.map((_, index) => ({ round: index + 1, problems: [] })),
  );
  expect(report.wrongEnds).toEqual([]);
  expect(report.wrongTold).toEqual([]);
  expect(report.webhooks.told).toBeGreaterThan(plans.length * ordinaryCustomers);
  expect(report.webhooks.received).toBeGreaterThan(plans.length * ordinaryCustomers);
  expect(report.webhooks.interrupted).toBeGreaterThan(0);
  expect(report.webhooks.refused).toBeGreaterThan(ordinaryCustomers);
}
