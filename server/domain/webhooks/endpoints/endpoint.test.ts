import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf, UNKNOWN_ID } from "@/server/domain/keys/testing";
import { asKey } from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { createWebhook } from "./create";
import { getWebhook } from "./get";
import { removeWebhook } from "./remove";
import { rotateWebhookSecret } from "./rotate-secret";
import { setWebhook } from "./set";
import { openWebhookWorld, type WebhookWorld } from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const create = (input: object = {}, as: Context = ctx) =>
  createWebhook({ ctx: as, input: { url: null, ...input } });

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
    const refusals = await Promise.all(hidden.map((id) => errorOf(act(key, id))));
    expect(new Set(refusals.map((error) => JSON.stringify(error)))).toEqual(
      new Set([JSON.stringify({ code: "webhook_not_found", message: "There is no such webhook endpoint." })]),
    );
    expect(await errorOf(act(key, (await create({ channel_ids: [own] })).id))).toBeNull();
  });

  test("is for who may manage webhooks", async () => {
    const { id } = await create();
    expect((await errorOf(act(await asKey(ctx), id)))?.code).toBe("missing_scope");
    expect((await errorOf(act(await asMember(ctx, "agent"), id)))?.code).toBe("permission_denied");
    expect(await errorOf(act(await asMember(ctx, "admin"), id))).toBeNull();
  });
});
