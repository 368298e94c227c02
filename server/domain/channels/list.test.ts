import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asKey, codeOf } from "@/server/domain/messages/testing";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { channelPage, listChannels, listChannelsInput } from "./list";

let world: TestWorld;
let ctx: Context<SystemActor>;
let active: string;
let paused: string;
let disabled: string;

beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
  active = await connectTestChannel(ctx, true);
  paused = await connectTestChannel(ctx);
  disabled = await connectTestChannel(ctx);
  const { sql } = world.database;
  await sql`update channels set paused_at = now(), pause_reason = 'credentials' where id in (${paused}, ${disabled})`;
  await sql`update channels set disabled_at = now() where id = ${disabled}`;
});
afterAll(() => world.close());

const list = (query: Readonly<Record<string, string>> = {}, as: Context = ctx) =>
  listChannels({ ctx: as, input: parseInput(listChannelsInput, { ...query }) });

describe("the list of channels", () => {
  test("says of each what it is, whether it sends, and why not", async () => {
    const page = await list();
    expect(channelPage.parse(page)).toEqual(page);
    expect(page).toEqual({
      data: [
        {
          id: active,
          name: "Test channel",
          display_phone_number: "+1 555 0100",
          is_default: true,
          state: "active",
          pause_reason: null,
        },
        expect.objectContaining({
          id: paused,
          state: "paused",
          pause_reason: "credentials",
          is_default: false,
        }),
        expect.objectContaining({ id: disabled, state: "disabled", pause_reason: null }),
      ],
      next_cursor: null,
    });
  });

  test("comes in pages", async () => {
    const first = await list({ limit: "2" });
    expect(first.data.map((channel) => channel.id)).toEqual([active, paused]);
    const second = await list({ limit: "2", cursor: first.next_cursor ?? "" });
    expect(second).toMatchObject({ data: [{ id: disabled }], next_cursor: null });
  });

  test("holds only those that a key may use, and none of another organization", async () => {
    const key = await asKey(ctx, { channelIds: [paused] });
    expect((await list({}, key)).data.map((channel) => channel.id)).toEqual([paused]);
    expect((await list({}, await createTestOrganization(world.services))).data).toEqual([]);
  });

  test("needs messages:send, as it tells the ids that sending asks for", async () => {
    expect(await codeOf(list({}, await asKey(ctx, { scopes: ["messages:read"] })))).toBe("missing_scope");
    expect(await codeOf(list({}, await asKey(ctx, { scopes: ["messages:send"] })))).toBeNull();
  });
});
