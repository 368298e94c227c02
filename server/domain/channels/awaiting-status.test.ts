import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { appRouter } from "@/server/edge/trpc/router";
import { t } from "@/server/core/trpc";
import type { Context } from "@/server/core/context";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { addHandedOver } from "./testing";

let world: TestWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

const callerOf = t.createCallerFactory(appRouter);
const ask = async (as: Context) => (await callerOf(as).channels.awaitingStatus({})).data;

test("a channel is told of once its messages have had no status for ten minutes, for a day", async () => {
  const member = await asMember(ctx, "agent");
  const channelId = await connectTestChannel(ctx);
  const add = (minutesAgo: number, hasStatus: boolean) =>
    addHandedOver(ctx, channelId, { minutesAgo, hasStatus });
  await add(5, false);
  await add(25 * 60, false);
  expect(await ask(member)).toEqual([]);
  await add(90, false);
  await add(11, false);
  const [silent] = await ask(member);
  expect(silent).toMatchObject({
    channelId,
    channelName: "Test channel",
    waiting: 2,
    handedOver: 2,
    isSilent: true,
  });
  expect(Math.round((Date.now() - Number(silent?.since)) / 60_000)).toBe(90);
  expect(silent?.remedy).toContain("Meta");
  await add(30, true);
  expect(await ask(member)).toMatchObject([{ channelId, waiting: 2, handedOver: 3, isSilent: false }]);
});

test("a quiet channel is told of beside one that sends much, and nobody else's", async () => {
  const organization = await createTestOrganization(world.services);
  const [busy, quiet] = [await connectTestChannel(organization), await connectTestChannel(organization)];
  await addHandedOver(organization, quiet, { minutesAgo: 600, hasStatus: false });
  await addHandedOver(organization, busy, { minutesAgo: 20, hasStatus: true });
  for (let i = 0; i < 120; i += 1)
    await addHandedOver(organization, busy, { minutesAgo: 20, hasStatus: true });
  const owner = await asMember(organization, "owner");
  expect(await ask(owner)).toMatchObject([{ channelId: quiet, waiting: 1, handedOver: 1, isSilent: true }]);
});

test("nobody of another organization is told of it", async () => {
  const stranger = await asMember(await createTestOrganization(world.services), "owner");
  expect(await ask(stranger)).toEqual([]);
});
