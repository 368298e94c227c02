import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "@/server/core/context";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import type { Page } from "@/server/core/paging";
import { inviteMember } from "./invite";
import { type InvitationView, listInvitations, listInvitationsInput } from "./list-invitations";
import { newEmail, newOwner } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const page = (ctx: Context, cursor: string | undefined): Promise<Page<InvitationView>> =>
  listInvitations({ ctx, input: listInvitationsInput.parse({ limit: "2", cursor }) });

test("every open invitation is listed, page after page, the newest first", async () => {
  const ctx = await newOwner(world);
  const made = [];
  for (let count = 0; count < 5; count++)
    made.push((await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } })).id);
  const seen: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, next_cursor: next } = await page(ctx, cursor);
    seen.push(data.map(({ id }) => id));
    cursor = next;
  }
  expect(seen.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(seen.flat()).toEqual(made.toReversed());
});
