import { expect, test } from "vitest";
import { playRounds } from "./play-rounds";

/** What other tests here don't kill alone; `npm run crash` has more of them, and waits for every doubt's end. */
const ROUNDS = [
  { kind: "first of two", acceptedPart: 0.2, isUpstreamFrozen: true, pausedBy: "payment_required" },
  { kind: "server and PostgreSQL", acceptedPart: 0.1, isUpstreamFrozen: true, pausedBy: null },
] as const;
const ORDINARY_CUSTOMERS = 40;

test("with a server and its PostgreSQL, and one of two servers, killed while they send, every accepted message is upstream once, failed with a code, or in doubt, and each change of it is told, by a receiver that refuses some at first when their time has come again", async () => {
  const { problems, interrupted } = await playRounds(ROUNDS, ORDINARY_CUSTOMERS);
  expect(problems).toEqual([]);
  expect(interrupted).toBeGreaterThan(0);
});
