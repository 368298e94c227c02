import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asKey } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { createWebhook } from "./create";
import { listWebhooks } from "./list";
import { removeWebhook } from "./remove";
import { listWebhooksInput } from "./schemas";
import { openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const create = (input: object = {}, as: Context = ctx) =>
  createWebhook({ ctx: as, input: { url: null, ...input } });
const list = (query: object = {}, as: Context = ctx) =>
  listWebhooks({ ctx: as, input: listWebhooksInput.parse(query) });
const idsOf = (page: Awaited<ReturnType<typeof list>>) => page.data.map(({ id }) => id);

describe("the list", () => {
  test("shows what is there, newest first, without secrets", async () => {
    const { secret: _, ...first } = await create({ url: PUBLIC_URL });
    const { secret: __, ...second } = await create({ description: "Second" });
    expect(await list()).toEqual({ data: [second, first], next_cursor: null });
  });

  test("comes in pages", async () => {
    const ids = [(await create()).id, (await create()).id, (await create()).id].toReversed();
    const first = await list({ limit: "2" });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const second = await list({ limit: "2", cursor: first.next_cursor });
    expect(idsOf(second)).toEqual(ids.slice(2));
    expect(second.next_cursor).toBeNull();
  });

  test("has nothing of another organization, and nothing that was removed", async () => {
    const { id } = await create();
    await removeWebhook({ ctx, input: { id } });
    await create({}, await createTestOrganization(world.services));
    expect(idsOf(await list())).toEqual([]);
  });
});

test("a key that is limited to channels lists endpoints within these only", async () => {
  const [own, other] = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
  const key = await asKey(ctx, { scopes: ["webhooks:manage"], channelIds: [own] });
  await create();
  await create({ channel_ids: [own, other] });
  const { id } = await create({ channel_ids: [own] });
  expect(idsOf(await list({}, key))).toEqual([id]);
});
