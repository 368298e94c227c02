import { expect, test } from "vitest";
import { playRounds } from "./play-rounds";

const ROUND = {
  kind: "server and PostgreSQL",
  acceptedPart: 0.1,
  isUpstreamFrozen: true,
  pausedBy: null,
  areLeasesEnded: true,
} as const;
/** As few as allow many calls in flight beside those to the customers of every outcome. */
const ORDINARY_CUSTOMERS = 10;

test("with a server and its PostgreSQL killed while they send, every accepted message is upstream once, failed with a code, or in doubt, and each change of it is told, by a receiver that refuses some at first when their time has come again", async () => {
  const problems = await playRounds([ROUND], ORDINARY_CUSTOMERS);
  expect(problems).toEqual([]);
});
