import { afterAll, beforeAll, expect, test } from "vitest";
import { asKey, codeOf, openConversation } from "@/server/domain/messages/testing";
import { asMember, createTestOrganization } from "@/server/domain/organizations/testing";
import { listPhoneChoices } from "./list-choices";
import { openPhoneWorld, type PhoneWorld } from "./testing";

let world: PhoneWorld;
beforeAll(async () => void (world = await openPhoneWorld()));
afterAll(() => world.close());

test("lists simulated channels and their latest customers, of the own organization only", async () => {
  const { ctx, channelId, atMeta, agent } = world;
  await openConversation(ctx, atMeta);
  const first = await openConversation(ctx, channelId);
  const second = await openConversation(ctx, channelId);
  const choices = await listPhoneChoices({ ctx: agent });
  expect(choices.channels).toEqual([
    { id: channelId, name: "Test channel", displayPhoneNumber: "+1 555 0100" },
  ]);
  expect(choices.customers).toEqual(
    [second, first].map(({ contactId, handle }) => ({
      contactId,
      name: "Customer",
      number: handle,
      channelId,
    })),
  );
  const other = await asMember(await createTestOrganization(world.services), "owner");
  expect(await listPhoneChoices({ ctx: other })).toEqual({ channels: [], customers: [] });
  expect(await codeOf(listPhoneChoices({ ctx: await asKey(ctx) }))).toBe("permission_denied");
});
