import { afterAll, beforeAll, expect, test } from "vitest";
import { openAttempts } from "./open-attempts";
import { settleUncalled } from "./settle-uncalled";
import {
  claimDue,
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueImage,
  queueText,
  type SendWorld,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

test("what no call is made for fails or is free, and the rest of the claim stays claimed", async () => {
  const threads = await Promise.all(
    Array.from({ length: 4 }, () => openConversation(world.ctx, world.channelId)),
  );
  const [calling = "", image = "", late = "", omitted = ""] = await Promise.all(
    threads.map(({ threadId }, index) => (index === 1 ? queueImage : queueText)(world.ctx, threadId)),
  );
  await world.sql`update conversations set last_inbound_at = now() - interval '25 hours' where id = ${threads[2]?.threadId ?? ""}`;
  const claimed = await claimDue(world.services, world.channelId, 10);
  const ready = await openAttempts(
    world.services,
    claimed.filter(({ id }) => id !== omitted),
  );
  await settleUncalled(world.services, { ...ready, claimed });
  expect(await messageRow(world, calling)).toMatchObject({ state: "queued", isClaimed: true });
  expect(await outcomesOf(world, calling)).toEqual([null]);
  expect(await messageRow(world, image)).toMatchObject({ state: "queued", isClaimed: true });
  expect(await messageRow(world, late)).toMatchObject({ errorCode: "outside_customer_window" });
  expect(await messageRow(world, omitted)).toMatchObject({ state: "queued", isClaimed: false });
});
