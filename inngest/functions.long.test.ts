import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOverWork, WAYS } from "./run-again/testing";
import { functionIds, type FunctionsWorld, openFunctionsWorld } from "./testing";

let world: FunctionsWorld;

beforeAll(async () => void (world = await openFunctionsWorld()));
afterAll(() => world.close());

describe.each(functionIds())("the function %s, run", (id) => {
  test.each([
    ["twice in a row", WAYS.inARow],
    ["again in another process, because its result was lost", WAYS.afterLoss],
  ])("%s, does its work and has nothing handed over twice", async (_, run) => {
    const { handedOver, wanted } = await runOverWork(world, id, run);
    expect(handedOver).toEqual(wanted);
  });
});
