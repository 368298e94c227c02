import { expect, test } from "vitest";
import { tableOf, wordsOf } from "./report";
import { runSeveral, type SeveralPlan } from "./several";

/** Each party alone; `npm run crash -- --several` has more, and waits for every doubt's end. */
const ROUNDS = [
  { kind: "first of two jobs", acceptedPart: 0.2, isUpstreamFrozen: true },
  { kind: "first of two api", acceptedPart: 0.3, isUpstreamFrozen: false },
  { kind: "PostgreSQL", acceptedPart: 0.3, isUpstreamFrozen: false },
  { kind: "Redis", acceptedPart: 0.3, isUpstreamFrozen: false },
] as const satisfies readonly Omit<SeveralPlan, "ordinaryCustomers">[];
const ORDINARY_CUSTOMERS = 15;

test("with one of two that take requests, one of two that send, PostgreSQL and Redis killed in turn, every accepted message is upstream once, failed with a code, or in doubt, and each change of it is told, by a receiver that refuses some at first when their time has come again", async () => {
  const rounds = ROUNDS.map((round) => ({ ...round, ordinaryCustomers: ORDINARY_CUSTOMERS }));
  const report = await runSeveral({ rounds, isEachSettled: false, reported: () => undefined });

  console.log(`${tableOf(report.rounds)}\n${wordsOf(report.webhooks)}`);
  expect(report.rounds.map(({ round, problems }) => ({ round, problems }))).toEqual(
    ROUNDS.map((_, index) => ({ round: index + 1, problems: [] })),
  );
  expect(report.wrongEnds).toEqual([]);
  expect(report.wrongReports).toEqual([]);
  expect(report.webhooks.reported).toBeGreaterThan(ROUNDS.length * ORDINARY_CUSTOMERS);
  expect(report.webhooks.received).toBeGreaterThan(ROUNDS.length * ORDINARY_CUSTOMERS);
  expect(report.webhooks.refused).toBeGreaterThan(ORDINARY_CUSTOMERS);
});
