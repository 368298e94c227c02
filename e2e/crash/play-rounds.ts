import { expect } from "vitest";
import type { RoundPlan } from "./kinds";
import { problemsIn, tableOf, wordsOf } from "./report";
import { runRounds } from "./rounds";

/**
 * Plays the rounds, and checks that enough webhooks were delivered and refused for the test to be meaningful.
 * @returns descriptions of broken promises.
 */
export async function playRounds(
  plans: readonly Omit<RoundPlan, "ordinaryCustomers">[],
  ordinaryCustomers: number,
): Promise<readonly string[]> {
  const rounds = plans.map((plan) => ({ ...plan, ordinaryCustomers }));
  const report = await runRounds({ rounds, isEachSettled: false, reported: () => undefined });

  console.log(`${tableOf(report.rounds)}\n${wordsOf(report.webhooks)}`);
  expect(report.webhooks.reported).toBeGreaterThan(plans.length * ordinaryCustomers);
  expect(report.webhooks.received).toBeGreaterThan(plans.length * ordinaryCustomers);
  expect(report.webhooks.refused).toBeGreaterThan(ordinaryCustomers);
  return problemsIn(report);
}
