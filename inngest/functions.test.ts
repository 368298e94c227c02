import { afterAll, beforeAll, expect, test } from "vitest";
import { runOverWork, WAYS } from "./run-again/testing";
import { functionIds, type FunctionsWorld, openFunctionsWorld } from "./testing";

let world: FunctionsWorld;

beforeAll(async () => void (world = await openFunctionsWorld()));
afterAll(() => world.close());

test.each(functionIds())(
  "the function %s, run at once twice in each of two processes, does its work and has nothing handed over twice",
  async (id) => {
    const { handedOver, wanted } = await runOverWork(world, id, WAYS.atOnce);
    expect(handedOver).toEqual(wanted);
  },
);

test.each(["drain-channel", "deliver-webhooks"])(
  "the function %s, run again in another process because its result was lost, has nothing handed over twice",
  async (id) => {
    const { handedOver, wanted } = await runOverWork(world, id, WAYS.afterLoss);
    expect(handedOver).toEqual(wanted);
  },
);
