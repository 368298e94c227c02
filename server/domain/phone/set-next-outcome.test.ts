import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { asKey, codeOf } from "@/server/domain/messages/testing";
import { getPhone } from "./get";
import { setNextOutcome } from "./set-next-outcome";
import { openPhoneWorld, type PhoneWorld } from "./testing";

let world: PhoneWorld;
beforeAll(async () => void (world = await openPhoneWorld()));
afterAll(() => world.close());

test("is shown on the phone, happens to one message, and can be removed", async () => {
  const { agent: ctx, send } = world;
  const phone = world.newPhone();
  const view = () => getPhone({ ctx, input: { ...phone, after: null } });
  await setNextOutcome({ ctx, input: { ...phone, outcome: "not_delivered" } });
  const before = await view();
  expect(before.next_outcome).toBe("not_delivered");
  expect(before.next_outcomes.map(({ name }) => name)).toContain("not_delivered");
  await send(phone.customer, { type: "text", text: { body: "Hello" } });
  await vi.waitFor(async () => {
    expect(await view()).toMatchObject({
      next_outcome: null,
      messages: [{ state: "failed", error: { code: 131_026 } }],
    });
  });
  await setNextOutcome({ ctx, input: { ...phone, outcome: "slow" } });
  await setNextOutcome({ ctx, input: { ...phone, outcome: null } });
  expect((await view()).next_outcome).toBeNull();
});

test("is refused if the simulator doesn't know it, and to keys", async () => {
  const input = { ...world.newPhone(), outcome: "sunburnt" };
  expect(await codeOf(setNextOutcome({ ctx: world.agent, input }))).toBe("validation_failed");
  expect(await codeOf(setNextOutcome({ ctx: await asKey(world.ctx), input }))).toBe("permission_denied");
});
