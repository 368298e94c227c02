import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "../api/actor";
import type { Context } from "../context";
import { refusalOf, UNKNOWN_ID } from "../keys/testing";
import { asKey } from "../messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "../organizations/testing";
import { createWebhook } from "./create";
import { getWebhook } from "./get";
import { listWebhooks } from "./list";
import { removeWebhook } from "./remove";
import { rotateWebhookSecret } from "./rotate-secret";
import { listWebhooksInput } from "./schemas";
import { setWebhook } from "./set";
import { auditOf, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "./testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const create = (input: object = {}, as: Context = ctx) => createWebhook({ ctx: as, input });
const get = (id: string, as: Context = ctx) => getWebhook({ ctx: as, input: { id } });
const list = (query: object = {}, as: Context = ctx) =>
  listWebhooks({ ctx: as, input: listWebhooksInput.parse(query) });
const idsOf = (page: Awaited<ReturnType<typeof list>>) => page.data.map(({ id }) => id);

describe("the list", () => {
  test("shows what is there, newest first, without secrets", async () => {
    const { secret: _, ...first } = await create({ url: PUBLIC_URL });
    const { secret: __, ...second } = await create({ description: "Second" });
    expect(await list()).toEqual({ data: [second, first], next_cursor: null });
    expect(await get(first.id)).toEqual(first);
    expect(await get(first.id.toUpperCase())).toEqual(first);
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

describe("removing", () => {
  test("is noted once, wakes the endpoint, so that what waits is skipped, and can't be repeated", async () => {
    const { id } = await create({ url: PUBLIC_URL, description: "Shop" });
    expect(await removeWebhook({ ctx, input: { id } })).toBeUndefined();
    expect(world.wokenEndpoints).toContain(id);
    expect((await refusalOf(removeWebhook({ ctx, input: { id } })))?.code).toBe("webhook_not_found");
    const removals = (await auditOf(world, id)).filter(({ action }) => action === "webhook.removed");
    expect(removals).toMatchObject([{ detail: { url: PUBLIC_URL, description: "Shop" } }]);
  });
});

const ACTS: readonly (readonly [string, (ctx: Context, id: string) => Promise<unknown>])[] = [
  ["get", (as, id) => getWebhook({ ctx: as, input: { id } })],
  ["set", (as, id) => setWebhook({ ctx: as, input: { id, description: "Taken" } })],
  ["remove", (as, id) => removeWebhook({ ctx: as, input: { id } })],
  ["rotateSecret", (as, id) => rotateWebhookSecret({ ctx: as, input: { id } })],
];

describe.each(ACTS)("%s", (_, act) => {
  test("answers alike what is unknown, malformed, removed, another organization's, or not of the key's channels", async () => {
    const [own, other] = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
    const key = await asKey(ctx, { scopes: ["webhooks:manage"], channelIds: [own] });
    const removed = await create({ channel_ids: [own] });
    await removeWebhook({ ctx, input: { id: removed.id } });
    const hidden = [
      UNKNOWN_ID,
      "no-id",
      removed.id,
      (await create({}, await createTestOrganization(world.services))).id,
      (await create()).id,
      (await create({ channel_ids: [other] })).id,
      (await create({ channel_ids: [own, other] })).id,
    ];
    const refusals = await Promise.all(hidden.map((id) => refusalOf(act(key, id))));
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal)))).toEqual(
      new Set([JSON.stringify({ code: "webhook_not_found", message: "There is no such webhook endpoint." })]),
    );
    expect(await refusalOf(act(key, (await create({ channel_ids: [own] })).id))).toBeNull();
  });

  test("is for who may manage webhooks", async () => {
    const { id } = await create();
    expect((await refusalOf(act(await asKey(ctx), id)))?.code).toBe("missing_scope");
    expect((await refusalOf(act(await asMember(ctx, "agent"), id)))?.code).toBe("permission_denied");
    expect(await refusalOf(act(await asMember(ctx, "admin"), id))).toBeNull();
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
