import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { createWebhook } from "./create";
import { getWebhook } from "./get";
import { openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());

test("an endpoint is shown as it was created, without its secret, however its id is written", async () => {
  const ctx = await createTestOrganization(world.services);
  const { secret: _, ...endpoint } = await createWebhook({ ctx, input: { url: PUBLIC_URL } });
  for (const id of [endpoint.id, endpoint.id.toUpperCase()])
    expect(await getWebhook({ ctx, input: { id } })).toEqual(endpoint);
});
