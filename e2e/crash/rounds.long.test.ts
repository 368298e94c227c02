import { expect, test } from "vitest";
import { playRounds } from "./play-rounds";

/** Kills that no other test here covers; `npm run crash` has more rounds, and waits for every doubt's end. */
const ROUND = {
  kind: "first of two",
  acceptedPart: 0.2,
  isUpstreamFrozen: true,
  pausedBy: "payment_required",
} as const;
const ORDINARY_CUSTOMERS = 40;

test("with one of two servers killed while they send, every accepted message is upstream once, failed with a code, or in doubt, and each change of it is told, by a receiver that refuses some at first when their time has come again", async () => {
  expect(await playRounds([ROUND], ORDINARY_CUSTOMERS)).toEqual([]);
});
