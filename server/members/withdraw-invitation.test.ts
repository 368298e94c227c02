import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestWorld, type TestWorld } from "../organizations/testing";
import { inviteMember } from "./invite";
import { invitationsOf, newEmail, newOwner } from "./testing";
import { withdrawInvitation } from "./withdraw-invitation";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const refusal = (code: string) => expect.objectContaining({ code });

test("an invitation isn't seen or withdrawn by another organization", async () => {
  const [ctx, other] = [await newOwner(world), await newOwner(world)];
  const { id } = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
  for (const invitationId of [id, "unknown"]) {
    const withdrawing = withdrawInvitation({ ctx: other, input: { invitationId } });
    await expect(withdrawing).rejects.toEqual(refusal("link_invalid"));
  }
  expect(await invitationsOf(other)).toEqual([]);
  expect(await invitationsOf(ctx)).toMatchObject([{ id }]);
});
