import { expect, test } from "vitest";
import type { RoundPlan } from "./kinds";
import { tableOf, wordsOf } from "./report";
import { runRounds } from "./rounds";

/** What other tests here don't kill alone; `npm run crash` has more of them, and waits for every doubt's end. */
const ROUNDS = [
  { kind: "first of two", acceptedPart: 0.2, isUpstreamFrozen: true, pausedBy: "payment_required" },
  { kind: "server and PostgreSQL", acceptedPart: 0.1, isUpstreamFrozen: true, pausedBy: null },
] as const satisfies readonly Omit<RoundPlan, "ordinaryCustomers">[];
const ORDINARY_CUSTOMERS = 40;

test("with a server and its PostgreSQL, and one of two servers, killed while they send, every accepted message is upstream once, failed with a code, or in doubt, and each change of it is told, by a receiver that refuses some at first when their time has come again", async () => {
  const rounds = ROUNDS.map((round) => ({ ...round, ordinaryCustomers: ORDINARY_CUSTOMERS }));
  const report = await runRounds({ rounds, isEachSettled: false, told: () => undefined });

  console.log(`${tableOf(report.rounds)}\n${wordsOf(report.webhooks)}`);
  expect(report.rounds.map(({ round, problems }) => ({ round, problems }))).toEqual(
    ROUNDS.map((_, index) => ({ round: index + 1, problems: [] })),
  );
  expect(report.wrongEnds).toEqual([]);
  expect(report.wrongTold).toEqual([]);
  expect(report.webhooks.told).toBeGreaterThan(ROUNDS.length * ORDINARY_CUSTOMERS);
  expect(report.webhooks.received).toBeGreaterThan(ROUNDS.length * ORDINARY_CUSTOMERS);
  expect(report.webhooks.interrupted).toBeGreaterThan(0);
  expect(report.webhooks.refused).toBeGreaterThan(ORDINARY_CUSTOMERS);
});
