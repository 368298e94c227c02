import { afterAll, beforeAll, expect, test } from "vitest";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { countAtOnce } from "./testing";

let world: SendWorld;
beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

test("counting in several processes at once is done when they are, however often", async () => {
  expect(await countAtOnce(world, 300)).toEqual(Array(300).fill(null));
});
