import { expect } from "vitest";
import type { RoundPlan } from "./kinds";
import { problemsIn, tableOf, wordsOf } from "./report";
import { runRounds } from "./rounds";

/**
 * Plays the rounds, and expects of webhooks that as many were told, refused and interrupted as it takes to say something.
 * @returns what was broken, in words.
 */
export async function playRounds(
  plans: readonly Omit<RoundPlan, "ordinaryCustomers">[],
  ordinaryCustomers: number,
): Promise<readonly string[]> {
  const rounds = plans.map((plan) => ({ ...plan, ordinaryCustomers }));
  const report = await runRounds({ rounds, isEachSettled: false, told: () => undefined });

  console.log(`${tableOf(report.rounds)}\n${wordsOf(report.webhooks)}`);
  expect(report.webhooks.told).toBeGreaterThan(plans.length * ordinaryCustomers);
  expect(report.webhooks.received).toBeGreaterThan(plans.length * ordinaryCustomers);
  expect(report.webhooks.interrupted).toBeGreaterThan(0);
  expect(report.webhooks.refused).toBeGreaterThan(ordinaryCustomers);
  return problemsIn(report);
}
