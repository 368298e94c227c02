import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf } from "@/server/domain/keys/testing";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { createWebhook } from "./create";
import { removeWebhook } from "./remove";
import { rotateWebhookSecret } from "./rotate-secret";
import { auditOf, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

test("removing is noted once, wakes the endpoint, so that what waits is skipped, and can't be repeated", async () => {
  const { id } = await createWebhook({ ctx, input: { url: PUBLIC_URL, description: "Shop" } });
  expect(await removeWebhook({ ctx, input: { id } })).toBeUndefined();
  expect(world.notifiedEndpoints).toContain(id);
  expect((await errorOf(removeWebhook({ ctx, input: { id } })))?.code).toBe("webhook_not_found");
  const removals = (await auditOf(world, id)).filter(({ action }) => action === "webhook.removed");
  expect(removals).toMatchObject([{ detail: { url: PUBLIC_URL, description: "Shop" } }]);
});

test("removing forgets its secrets, former ones too, and what its URL has behind the path", async () => {
  const { id } = await createWebhook({ ctx, input: { url: `${PUBLIC_URL}?token=secret#there` } });
  const other = await createWebhook({ ctx, input: { url: PUBLIC_URL } });
  for (const one of [id, other.id]) await rotateWebhookSecret({ ctx, input: { id: one } });
  await removeWebhook({ ctx, input: { id } });
  const left = await world.sql`
    select url, secret_encrypted as secret, (
      select count(*)::int from webhook_former_secrets f where f.endpoint_id = e.id) as former
    from webhook_endpoints e where organization_id = ${ctx.actor.organizationId} order by created_at`;
  expect(left).toEqual([
    { url: PUBLIC_URL, secret: "", former: 0 },
    { url: PUBLIC_URL, secret: expect.stringMatching(/./), former: 1 },
  ]);
});
