import { afterAll, beforeAll, expect, test } from "vitest";
import { asKey, codeOf } from "@/server/domain/messages/testing";
import { asMember, createTestOrganization } from "@/server/domain/organizations/testing";
import { actOnPhone } from "./act";
import { getPhone } from "./get";
import { getPhoneFile } from "./get-file";
import { openPhoneWorld, type PhoneWorld } from "./testing";

let world: PhoneWorld;
beforeAll(async () => void (world = await openPhoneWorld()));
afterAll(() => world.close());

test("returns the bytes of a file on the phone, and null for one that isn't there", async () => {
  const { agent: ctx } = world;
  const phone = world.newPhone();
  await actOnPhone({
    ctx,
    input: { ...phone, act: { kind: "file", name: "photo", type: "image", mimeType: "image/jpeg" } },
  });
  const [message] = (await getPhone({ ctx, input: { ...phone, after: null } })).messages;
  const media = message?.bubble.media?.id ?? "";
  const file = await getPhoneFile({ ctx, input: { ...phone, media } });
  expect(file?.mimeType).toBe("image/jpeg");
  expect(
    Buffer.from(file?.base64 ?? "", "base64")
      .subarray(0, 3)
      .toString("hex"),
  ).toBe("ffd8ff");
  expect(await getPhoneFile({ ctx, input: { ...phone, media: "404" } })).toBeNull();
  const other = await asMember(await createTestOrganization(world.services), "owner");
  expect(await codeOf(getPhoneFile({ ctx: other, input: { ...phone, media } }))).toBe("channel_not_found");
  const key = await asKey(world.ctx);
  expect(await codeOf(getPhoneFile({ ctx: key, input: { ...phone, media } }))).toBe("permission_denied");
});
